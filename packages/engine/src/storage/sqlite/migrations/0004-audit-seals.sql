-- One order over all streams: `position` grows with every event, and seals cover ranges of it. Events that
-- were written before have none; they get theirs by time. (at, stream, seq) is only how ties are broken.

DROP TRIGGER audit_events_no_update;
DROP TRIGGER audit_events_no_delete;

CREATE TABLE audit_events_placed (
  stream   TEXT NOT NULL,
  seq      INTEGER NOT NULL,
  position INTEGER NOT NULL,
  type     TEXT NOT NULL,
  at       TEXT NOT NULL,
  body     TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash     TEXT NOT NULL,
  PRIMARY KEY (stream, seq)
) STRICT, WITHOUT ROWID;

INSERT INTO audit_events_placed (stream, seq, position, type, at, body, previous, hash)
SELECT stream, seq, row_number() OVER (ORDER BY at, stream, seq), type, at, body, previous, hash
FROM audit_events;

DROP TABLE audit_events;
ALTER TABLE audit_events_placed RENAME TO audit_events;

-- Covers what sealing reads. Each position is one more than the greatest, inside the only write transaction.
CREATE INDEX audit_events_by_position ON audit_events (position, hash);

CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events
BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;
CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events
BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;

-- `line` is the seal exactly as it stands in the file outside the database.
CREATE TABLE audit_seals (
  number INTEGER PRIMARY KEY,
  line   TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_seals_no_update BEFORE UPDATE ON audit_seals
BEGIN SELECT RAISE(ABORT, 'audit seals are append-only'); END;
CREATE TRIGGER audit_seals_no_delete BEFORE DELETE ON audit_seals
BEGIN SELECT RAISE(ABORT, 'audit seals are append-only'); END;
