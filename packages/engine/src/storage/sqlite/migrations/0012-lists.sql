-- A list, such as the messages of a conversation, is a chain of parts: each holds what was added, and `before`
-- names the part before it; in the first it is empty. Parts of another kind have none.

-- The table has row ids: without them a value of a thousand bytes would take a page of its own.
CREATE TABLE parts (
  thread_id TEXT NOT NULL,
  hash      TEXT NOT NULL,
  type      TEXT NOT NULL,
  value     BLOB NOT NULL,
  before    TEXT
) STRICT;
INSERT INTO parts (thread_id, hash, type, value) SELECT thread_id, hash, type, value FROM checkpoint_parts;
DROP TABLE checkpoint_parts;
ALTER TABLE parts RENAME TO checkpoint_parts;
CREATE UNIQUE INDEX checkpoint_parts_by_hash ON checkpoint_parts (thread_id, hash);
