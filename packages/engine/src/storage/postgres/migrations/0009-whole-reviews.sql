-- A review is one row: `body` is what was asked and never changes, `state` what has become of it, both JSON. An
-- action's row says only where the action is found. So a page of reviews is one look into one table, and
-- deciding changes one row.

ALTER TABLE holdpoint.reviews ADD COLUMN body text;
ALTER TABLE holdpoint.reviews ADD COLUMN state text;

-- The JSON of a text column, whose U+0000 is stored as U+001A and 0, and whose U+001A as U+001A and 1.
CREATE FUNCTION holdpoint.quoted(stored text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT replace(replace(to_json(stored)::text, '\u001a0', '\u0000'), '\u001a1', '\u001a')
$$;

-- JSON columns go into the text as they are; what is NULL is left out.
UPDATE holdpoint.reviews AS r SET
  body = '{"agent":' || holdpoint.quoted(r.agent) || coalesce(',"agentPath":' || r.agent_path, '')
    || coalesce(',"parentCall":' || r.parent_call, '') || ',"turnId":' || holdpoint.quoted(r.turn_id)
    || ',"cause":' || holdpoint.quoted(r.cause) || coalesce(',"askedFor":' || holdpoint.quoted(r.asked_for), '')
    || ',"actions":[' || coalesce((SELECT string_agg(
      '{"id":' || holdpoint.quoted(a.id) || ',"toolCallId":' || holdpoint.quoted(a.tool_call_id)
      || ',"call":' || a.call || coalesce(',"argsSchema":' || a.args_schema, '')
      || coalesce(',"answerSchema":' || a.answer_schema, '') || ',"digest":' || holdpoint.quoted(a.digest)
      || coalesce(',"description":' || holdpoint.quoted(a.description), '') || ',"allowedDecisions":' || a.allowed
      || ',"rule":' || holdpoint.quoted(a.rule) || ',"reason":' || holdpoint.quoted(a.reason)
      || ',"reasonCode":' || holdpoint.quoted(a.reason_code) || '}', ',' ORDER BY a.idx)
      FROM holdpoint.actions AS a WHERE a.review_id = r.id), '') || ']}',
  state = '{"raised":' || r.raised || coalesce(',"because":' || holdpoint.quoted(r.closed_because), '')
    || coalesce(',"addedMessages":' || r.added_messages, '') || ',"actions":['
    || coalesce((SELECT string_agg(a.state, ',' ORDER BY a.idx)
      FROM holdpoint.actions AS a WHERE a.review_id = r.id), '') || ']}';
DROP FUNCTION holdpoint.quoted;

ALTER TABLE holdpoint.reviews ALTER COLUMN body SET NOT NULL, ALTER COLUMN state SET NOT NULL,
  DROP COLUMN agent, DROP COLUMN agent_path, DROP COLUMN parent_call, DROP COLUMN turn_id, DROP COLUMN cause,
  DROP COLUMN asked_for, DROP COLUMN raised, DROP COLUMN closed_because, DROP COLUMN added_messages;
ALTER TABLE holdpoint.actions DROP COLUMN call, DROP COLUMN args_schema, DROP COLUMN answer_schema,
  DROP COLUMN digest, DROP COLUMN description, DROP COLUMN allowed, DROP COLUMN rule, DROP COLUMN reason,
  DROP COLUMN reason_code, DROP COLUMN state;
