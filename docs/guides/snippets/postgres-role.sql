-- Run by the owner of the tables, after Holdpoint has started once as that owner.
GRANT USAGE ON SCHEMA holdpoint TO holdpoint_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA holdpoint TO holdpoint_app;
REVOKE UPDATE, DELETE ON holdpoint.audit_events, holdpoint.audit_seals FROM holdpoint_app;
REVOKE INSERT, UPDATE, DELETE ON holdpoint.schema_version FROM holdpoint_app;
