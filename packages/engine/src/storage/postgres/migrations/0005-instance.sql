-- Which life of the database this is. `epoch` changes when a backup is brought back, and a permit of another
-- epoch starts nothing. `place` and `server` say where these tables were made: whatever pg_restore makes
-- out of a dump lies in another place, and is noticed.
CREATE TABLE holdpoint.instance (
  one    boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch  text NOT NULL,
  place  text,
  server text
);
INSERT INTO holdpoint.instance (epoch) VALUES ('epoch_' || replace(gen_random_uuid()::text, '-', ''));

ALTER TABLE holdpoint.permits ADD COLUMN epoch text NOT NULL DEFAULT '';
UPDATE holdpoint.permits SET epoch = (SELECT epoch FROM holdpoint.instance);
