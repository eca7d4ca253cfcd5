-- The first schema, the same tables as in SQLite. JSON columns hold plain JSON text, because jsonb
-- refuses \u0000 and rounds nothing back to the bytes that were hashed; times are ISO-8601 UTC text.
-- What is ordered or compared by "<" is in the C collation, as in SQLite.

CREATE TABLE holdpoint.threads (
  id          text PRIMARY KEY,
  agent       text NOT NULL,
  created_at  text NOT NULL,
  last_seq    bigint NOT NULL DEFAULT 0
);

-- A run is started with an input or continues a thread after decisions. Rows that are 'queued' are due work.
CREATE TABLE holdpoint.runs (
  seq         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id          text NOT NULL UNIQUE,
  thread_id   text NOT NULL REFERENCES holdpoint.threads (id) ON DELETE CASCADE,
  kind        text NOT NULL CHECK (kind IN ('start', 'continue')),
  input       text,
  dedupe_key  text,
  status      text NOT NULL CHECK (status IN ('queued', 'running', 'interrupted', 'completed', 'failed', 'cancelled')),
  error       text,
  attempts    integer NOT NULL DEFAULT 0,
  fence       integer NOT NULL DEFAULT 0,
  lease_owner text,
  lease_until text COLLATE "C",
  created_at  text NOT NULL,
  ended_at    text
);
CREATE UNIQUE INDEX runs_dedupe ON holdpoint.runs (thread_id, dedupe_key) WHERE dedupe_key IS NOT NULL;
CREATE INDEX runs_due ON holdpoint.runs (seq) WHERE status IN ('queued', 'running');
CREATE INDEX runs_of_thread ON holdpoint.runs (thread_id, seq);

-- interrupt_id is the question that an event asks, taken out of its body so that SQL need not read JSON.
CREATE TABLE holdpoint.run_events (
  thread_id    text NOT NULL REFERENCES holdpoint.threads (id) ON DELETE CASCADE,
  seq          bigint NOT NULL,
  run_id       text NOT NULL,
  method       text NOT NULL,
  keep         boolean NOT NULL,
  interrupt_id text,
  body         text NOT NULL,
  PRIMARY KEY (thread_id, seq)
);

CREATE TABLE holdpoint.checkpoints (
  thread_id text NOT NULL,
  namespace text NOT NULL,
  id        text COLLATE "C" NOT NULL,
  parent_id text,
  body      text NOT NULL,
  metadata  text NOT NULL,
  PRIMARY KEY (thread_id, namespace, id)
);
CREATE INDEX checkpoints_by_id ON holdpoint.checkpoints (id);

-- A value of a channel, or one element of a list channel, stored once per thread by its hash.
CREATE TABLE holdpoint.checkpoint_parts (
  thread_id text NOT NULL,
  hash      text NOT NULL,
  type      text NOT NULL,
  value     bytea NOT NULL,
  PRIMARY KEY (thread_id, hash)
);

CREATE TABLE holdpoint.checkpoint_writes (
  thread_id     text NOT NULL,
  namespace     text NOT NULL,
  checkpoint_id text NOT NULL,
  task_id       text COLLATE "C" NOT NULL,
  idx           integer NOT NULL,
  channel       text NOT NULL,
  task_path     text COLLATE "C" NOT NULL,
  type          text NOT NULL,
  value         bytea NOT NULL,
  PRIMARY KEY (thread_id, namespace, checkpoint_id, task_id, idx)
);

CREATE TABLE holdpoint.reviews (
  seq            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id             text NOT NULL UNIQUE,
  version        integer NOT NULL,
  thread_id      text NOT NULL,
  agent          text NOT NULL,
  agent_path     text,
  parent_call    text,
  turn_id        text NOT NULL,
  interrupt_id   text NOT NULL,
  raised         text NOT NULL,
  cause          text NOT NULL,
  asked_for      text,
  status         text NOT NULL CHECK (status IN ('open', 'decided', 'closed')),
  created_at     text NOT NULL,
  settled_at     text COLLATE "C",
  closed_because text,
  added_messages text
);
CREATE INDEX reviews_open ON holdpoint.reviews (seq) WHERE status = 'open';
CREATE INDEX reviews_settled ON holdpoint.reviews (settled_at, seq) WHERE status <> 'open';
CREATE INDEX reviews_of_thread ON holdpoint.reviews (thread_id, status);
CREATE UNIQUE INDEX reviews_of_interrupt ON holdpoint.reviews (thread_id, interrupt_id);

CREATE TABLE holdpoint.actions (
  id            text PRIMARY KEY,
  review_id     text NOT NULL REFERENCES holdpoint.reviews (id) ON DELETE CASCADE,
  idx           integer NOT NULL,
  thread_id     text NOT NULL,
  turn_id       text NOT NULL,
  tool_call_id  text NOT NULL,
  call          text NOT NULL,
  args_schema   text,
  answer_schema text,
  digest        text NOT NULL,
  description   text,
  allowed       text NOT NULL,
  rule          text NOT NULL,
  reason        text NOT NULL,
  reason_code   text NOT NULL,
  state         text NOT NULL,
  UNIQUE (review_id, idx)
);
CREATE INDEX actions_of_call ON holdpoint.actions (thread_id, turn_id, tool_call_id);
CREATE INDEX actions_of_tool_call ON holdpoint.actions (thread_id, tool_call_id);

-- Append-only. The key makes a repeated click safe: one row for an action, a decision and a reviewer.
CREATE TABLE holdpoint.decisions (
  id        text PRIMARY KEY,
  action_id text NOT NULL REFERENCES holdpoint.actions (id) ON DELETE CASCADE,
  reviewer  text NOT NULL,
  digest    text NOT NULL,
  decision  text NOT NULL,
  at        text NOT NULL,
  UNIQUE (action_id, digest, reviewer)
);

CREATE TABLE holdpoint.permits (
  action_id   text PRIMARY KEY REFERENCES holdpoint.actions (id) ON DELETE CASCADE,
  digest      text NOT NULL,
  fence       integer NOT NULL,
  status      text NOT NULL,
  state       text NOT NULL,
  lease_owner text,
  lease_until text COLLATE "C"
);
CREATE INDEX permits_started ON holdpoint.permits (lease_owner) WHERE status = 'started';

-- Append-only; hash-linked inside each stream (one stream for each review). Positions are given when a
-- row is inserted, not when it is committed: whoever reads by position waits first, with
-- LOCK TABLE … IN SHARE MODE, until the writers of that moment are done.
CREATE TABLE holdpoint.audit_events (
  position bigint GENERATED ALWAYS AS IDENTITY,
  stream   text NOT NULL,
  seq      bigint NOT NULL,
  type     text NOT NULL,
  at       text NOT NULL,
  body     text NOT NULL,
  previous text NOT NULL,
  hash     text NOT NULL,
  PRIMARY KEY (stream, seq)
);
CREATE UNIQUE INDEX audit_events_by_position ON holdpoint.audit_events (position);

CREATE FUNCTION holdpoint.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% are append-only', replace(TG_TABLE_NAME, '_', ' ');
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON holdpoint.audit_events
  FOR EACH ROW EXECUTE FUNCTION holdpoint.refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON holdpoint.audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION holdpoint.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON holdpoint.decisions
  FOR EACH ROW EXECUTE FUNCTION holdpoint.refuse_change();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON holdpoint.decisions
  FOR EACH STATEMENT EXECUTE FUNCTION holdpoint.refuse_change();

CREATE TABLE holdpoint.reviewers (
  id   text PRIMARY KEY,
  name text NOT NULL
);

-- One-time links and the sessions they open; only hashes of the secrets are kept.
CREATE TABLE holdpoint.api_keys (
  hash        text PRIMARY KEY,
  purpose     text NOT NULL CHECK (purpose IN ('link', 'session')),
  reviewer_id text NOT NULL REFERENCES holdpoint.reviewers (id),
  expires_at  text COLLATE "C" NOT NULL,
  used_at     text
);

-- Never has a row. Every writer locks it lightly; one that lost too often locks it alone.
CREATE TABLE holdpoint.turns ();
