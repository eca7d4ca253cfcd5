-- What a tool's own question is answered with: the JSON Schema of the value.
ALTER TABLE actions ADD COLUMN answer_schema TEXT;

-- The messages that join the thread together with the answer, such as the answered card.
ALTER TABLE reviews ADD COLUMN added_messages TEXT;
