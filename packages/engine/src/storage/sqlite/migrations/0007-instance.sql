-- Which life of the database this is. `epoch` changes when a backup is brought back, and a permit of another
-- epoch starts nothing. `copied_at` is set in backups: such a file is not opened until it is restored.
CREATE TABLE instance (
  one       INTEGER PRIMARY KEY CHECK (one = 1),
  epoch     TEXT NOT NULL,
  copied_at TEXT
) STRICT;
INSERT INTO instance (one, epoch) VALUES (1, 'epoch_' || lower(hex(randomblob(16))));

ALTER TABLE permits ADD COLUMN epoch TEXT NOT NULL DEFAULT '';
UPDATE permits SET epoch = (SELECT epoch FROM instance);
