-- A list, such as the messages of a conversation, is a chain of parts: each holds what was added, and `before`
-- names the part before it; in the first it is empty. Parts of another kind have none.
ALTER TABLE holdpoint.checkpoint_parts ADD COLUMN before text;
