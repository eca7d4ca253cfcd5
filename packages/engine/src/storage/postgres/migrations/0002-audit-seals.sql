-- `line` is the seal exactly as it stands in the file outside the database.
CREATE TABLE holdpoint.audit_seals (
  number bigint PRIMARY KEY,
  line   text NOT NULL
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON holdpoint.audit_seals
  FOR EACH ROW EXECUTE FUNCTION holdpoint.refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON holdpoint.audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION holdpoint.refuse_change();
