-- Which agent asked: the JSON list of names from the outermost agent to it, and the outer agent's tool
-- call inside which it runs. Both are NULL when no other agent called the asking one.

ALTER TABLE reviews ADD COLUMN agent_path TEXT;
ALTER TABLE reviews ADD COLUMN parent_call TEXT;
