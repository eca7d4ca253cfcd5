-- What is erased goes, and the audit still verifies. An event's hash is over its body and a salt: once both
-- are gone, the hash tells nobody what they were. Events of before have no salt.
ALTER TABLE audit_events ADD COLUMN salt TEXT;

-- The one change of an event: its body is erased.
DROP TRIGGER audit_events_no_update;
CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events
WHEN NOT (NEW.body = '{"erased":true}' AND NEW.salt IS NULL AND NEW.stream = OLD.stream AND NEW.seq = OLD.seq
  AND NEW.position = OLD.position AND NEW.type = OLD.type AND NEW.at = OLD.at
  AND NEW.previous = OLD.previous AND NEW.hash = OLD.hash)
BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;

-- The one change of a decision: who made it is erased. It goes with its action, and never alone.
DROP TRIGGER decisions_no_update;
CREATE TRIGGER decisions_no_update BEFORE UPDATE ON decisions
WHEN NOT (NEW.reviewer GLOB 'erased_*' AND NEW.id = OLD.id AND NEW.action_id = OLD.action_id
  AND NEW.digest = OLD.digest AND NEW.decision = OLD.decision AND NEW.at = OLD.at)
BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
DROP TRIGGER decisions_no_delete;
CREATE TRIGGER decisions_no_delete BEFORE DELETE ON decisions
WHEN EXISTS (SELECT 1 FROM actions WHERE id = OLD.action_id)
BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
