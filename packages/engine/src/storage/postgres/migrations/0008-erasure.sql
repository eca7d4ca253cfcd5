-- What is erased goes, and the audit still verifies. An event's hash is over its body and a salt: once both
-- are gone, the hash tells nobody what they were. Events of before have no salt.
ALTER TABLE holdpoint.audit_events ADD COLUMN salt text;

-- The one change of an event: its body is erased.
DROP TRIGGER append_only ON holdpoint.audit_events;
CREATE TRIGGER append_only BEFORE DELETE ON holdpoint.audit_events
  FOR EACH ROW EXECUTE FUNCTION holdpoint.refuse_change();
CREATE TRIGGER only_erased BEFORE UPDATE ON holdpoint.audit_events
  FOR EACH ROW WHEN (NOT (NEW.body = '{"erased":true}' AND NEW.salt IS NULL AND NEW.stream = OLD.stream
    AND NEW.seq = OLD.seq AND NEW.position = OLD.position AND NEW.type = OLD.type AND NEW.at = OLD.at
    AND NEW.previous = OLD.previous AND NEW.hash = OLD.hash))
  EXECUTE FUNCTION holdpoint.refuse_change();

-- The one change of a decision: who made it is erased. It goes with its action, and never alone.
DROP TRIGGER append_only ON holdpoint.decisions;
CREATE TRIGGER only_erased BEFORE UPDATE ON holdpoint.decisions
  FOR EACH ROW WHEN (NOT (NEW.reviewer ^@ 'erased_' AND NEW.id = OLD.id AND NEW.action_id = OLD.action_id
    AND NEW.digest = OLD.digest AND NEW.decision = OLD.decision AND NEW.at = OLD.at))
  EXECUTE FUNCTION holdpoint.refuse_change();
CREATE FUNCTION holdpoint.refuse_lone_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM holdpoint.actions WHERE id = OLD.action_id) THEN
    RAISE EXCEPTION 'decisions are append-only';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER append_only BEFORE DELETE ON holdpoint.decisions
  FOR EACH ROW EXECUTE FUNCTION holdpoint.refuse_lone_removal();
