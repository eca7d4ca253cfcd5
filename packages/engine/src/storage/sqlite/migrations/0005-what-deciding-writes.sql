-- Deciding touches no index that it need not: the reviews of a thread are looked for while they are open,
-- and a decision has one key, the one that makes a repeated click safe.

DROP INDEX reviews_of_thread;
CREATE INDEX reviews_open_of_thread ON reviews (thread_id) WHERE status = 'open';

DROP TRIGGER decisions_no_update;
DROP TRIGGER decisions_no_delete;

CREATE TABLE decisions_by_action (
  id        TEXT NOT NULL,
  action_id TEXT NOT NULL REFERENCES actions (id) ON DELETE CASCADE,
  reviewer  TEXT NOT NULL,
  digest    TEXT NOT NULL,
  decision  TEXT NOT NULL,
  at        TEXT NOT NULL,
  PRIMARY KEY (action_id, digest, reviewer)
) STRICT, WITHOUT ROWID;

INSERT INTO decisions_by_action (id, action_id, reviewer, digest, decision, at)
SELECT id, action_id, reviewer, digest, decision, at FROM decisions;

DROP TABLE decisions;
ALTER TABLE decisions_by_action RENAME TO decisions;

CREATE TRIGGER decisions_no_update BEFORE UPDATE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
CREATE TRIGGER decisions_no_delete BEFORE DELETE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
