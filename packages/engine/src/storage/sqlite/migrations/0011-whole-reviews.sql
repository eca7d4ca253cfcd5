-- A review is one row: `body` is what was asked and never changes, `state` what has become of it, both JSON. An
-- action's row says only where the action is found. So a page of reviews is one look into one table, and
-- deciding changes one row.

ALTER TABLE reviews ADD COLUMN body TEXT NOT NULL DEFAULT '';
ALTER TABLE reviews ADD COLUMN state TEXT NOT NULL DEFAULT '';

-- JSON columns go into the text as they are; what is NULL is left out.
UPDATE reviews AS r SET
  body = '{"agent":' || json_quote(r.agent) || coalesce(',"agentPath":' || r.agent_path, '')
    || coalesce(',"parentCall":' || r.parent_call, '') || ',"turnId":' || json_quote(r.turn_id)
    || ',"cause":' || json_quote(r.cause) || iif(r.asked_for IS NULL, '', ',"askedFor":' || json_quote(r.asked_for))
    || ',"actions":[' || coalesce((SELECT group_concat(
      '{"id":' || json_quote(a.id) || ',"toolCallId":' || json_quote(a.tool_call_id)
      || ',"call":' || a.call || coalesce(',"argsSchema":' || a.args_schema, '')
      || coalesce(',"answerSchema":' || a.answer_schema, '') || ',"digest":' || json_quote(a.digest)
      || iif(a.description IS NULL, '', ',"description":' || json_quote(a.description)) || ',"allowedDecisions":' || a.allowed
      || ',"rule":' || json_quote(a.rule) || ',"reason":' || json_quote(a.reason)
      || ',"reasonCode":' || json_quote(a.reason_code) || '}', ',' ORDER BY a.idx)
      FROM actions AS a WHERE a.review_id = r.id), '') || ']}',
  state = '{"raised":' || r.raised || iif(r.closed_because IS NULL, '', ',"because":' || json_quote(r.closed_because))
    || coalesce(',"addedMessages":' || r.added_messages, '') || ',"actions":['
    || coalesce((SELECT group_concat(a.state, ',' ORDER BY a.idx)
      FROM actions AS a WHERE a.review_id = r.id), '') || ']}';

ALTER TABLE reviews DROP COLUMN agent;
ALTER TABLE reviews DROP COLUMN agent_path;
ALTER TABLE reviews DROP COLUMN parent_call;
ALTER TABLE reviews DROP COLUMN turn_id;
ALTER TABLE reviews DROP COLUMN cause;
ALTER TABLE reviews DROP COLUMN asked_for;
ALTER TABLE reviews DROP COLUMN raised;
ALTER TABLE reviews DROP COLUMN closed_because;
ALTER TABLE reviews DROP COLUMN added_messages;

ALTER TABLE actions DROP COLUMN call;
ALTER TABLE actions DROP COLUMN args_schema;
ALTER TABLE actions DROP COLUMN answer_schema;
ALTER TABLE actions DROP COLUMN digest;
ALTER TABLE actions DROP COLUMN description;
ALTER TABLE actions DROP COLUMN allowed;
ALTER TABLE actions DROP COLUMN rule;
ALTER TABLE actions DROP COLUMN reason;
ALTER TABLE actions DROP COLUMN reason_code;
ALTER TABLE actions DROP COLUMN state;
