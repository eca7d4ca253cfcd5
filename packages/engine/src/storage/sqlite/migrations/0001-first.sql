-- The first schema. JSON columns hold plain JSON text; times are ISO-8601 UTC text.

CREATE TABLE threads (
  id          TEXT PRIMARY KEY,
  agent       TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  last_seq    INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A run is started with an input or continues a thread after decisions. Rows that are 'queued' are due work.
CREATE TABLE runs (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT NOT NULL UNIQUE,
  thread_id   TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  kind        TEXT NOT NULL CHECK (kind IN ('start', 'continue')),
  input       TEXT,
  dedupe_key  TEXT,
  status      TEXT NOT NULL CHECK (status IN ('queued', 'running', 'interrupted', 'completed', 'failed', 'cancelled')),
  error       TEXT,
  attempts    INTEGER NOT NULL DEFAULT 0,
  fence       INTEGER NOT NULL DEFAULT 0,
  lease_owner TEXT,
  lease_until TEXT,
  created_at  TEXT NOT NULL,
  ended_at    TEXT
) STRICT;
CREATE UNIQUE INDEX runs_dedupe ON runs (thread_id, dedupe_key) WHERE dedupe_key IS NOT NULL;
CREATE INDEX runs_due ON runs (seq) WHERE status IN ('queued', 'running');
CREATE INDEX runs_of_thread ON runs (thread_id, seq);

CREATE TABLE run_events (
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  run_id    TEXT NOT NULL,
  method    TEXT NOT NULL,
  compact   INTEGER NOT NULL DEFAULT 0,
  body      TEXT NOT NULL,
  PRIMARY KEY (thread_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
  thread_id TEXT NOT NULL,
  namespace TEXT NOT NULL,
  id        TEXT NOT NULL,
  parent_id TEXT,
  body      TEXT NOT NULL,
  metadata  TEXT NOT NULL,
  PRIMARY KEY (thread_id, namespace, id)
) STRICT, WITHOUT ROWID;

-- A value of a channel, or one element of a list channel, stored once per thread by its hash.
CREATE TABLE checkpoint_parts (
  thread_id TEXT NOT NULL,
  hash      TEXT NOT NULL,
  type      TEXT NOT NULL,
  value     BLOB NOT NULL,
  PRIMARY KEY (thread_id, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint_writes (
  thread_id     TEXT NOT NULL,
  namespace     TEXT NOT NULL,
  checkpoint_id TEXT NOT NULL,
  task_id       TEXT NOT NULL,
  idx           INTEGER NOT NULL,
  channel       TEXT NOT NULL,
  task_path     TEXT NOT NULL,
  type          TEXT NOT NULL,
  value         BLOB NOT NULL,
  PRIMARY KEY (thread_id, namespace, checkpoint_id, task_id, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE reviews (
  seq            INTEGER PRIMARY KEY AUTOINCREMENT,
  id             TEXT NOT NULL UNIQUE,
  version        INTEGER NOT NULL,
  thread_id      TEXT NOT NULL,
  agent          TEXT NOT NULL,
  turn_id        TEXT NOT NULL,
  interrupt_id   TEXT NOT NULL,
  raised         TEXT NOT NULL,
  cause          TEXT NOT NULL,
  asked_for      TEXT,
  status         TEXT NOT NULL CHECK (status IN ('open', 'decided', 'closed')),
  created_at     TEXT NOT NULL,
  settled_at     TEXT,
  closed_because TEXT
) STRICT;
CREATE INDEX reviews_open ON reviews (seq) WHERE status = 'open';
CREATE INDEX reviews_settled ON reviews (settled_at, seq) WHERE status <> 'open';
CREATE INDEX reviews_of_thread ON reviews (thread_id, status);
CREATE UNIQUE INDEX reviews_of_interrupt ON reviews (thread_id, interrupt_id);

CREATE TABLE actions (
  id           TEXT PRIMARY KEY,
  review_id    TEXT NOT NULL REFERENCES reviews (id) ON DELETE CASCADE,
  idx          INTEGER NOT NULL,
  thread_id    TEXT NOT NULL,
  turn_id      TEXT NOT NULL,
  tool_call_id TEXT NOT NULL,
  call         TEXT NOT NULL,
  args_schema  TEXT,
  digest       TEXT NOT NULL,
  description  TEXT,
  allowed      TEXT NOT NULL,
  rule         TEXT NOT NULL,
  reason       TEXT NOT NULL,
  reason_code  TEXT NOT NULL,
  state        TEXT NOT NULL,
  UNIQUE (review_id, idx)
) STRICT, WITHOUT ROWID;
CREATE INDEX actions_of_call ON actions (thread_id, turn_id, tool_call_id);

-- Append-only. The key makes a repeated click safe: one row for an action, a decision and a reviewer.
CREATE TABLE decisions (
  id        TEXT PRIMARY KEY,
  action_id TEXT NOT NULL REFERENCES actions (id) ON DELETE CASCADE,
  reviewer  TEXT NOT NULL,
  digest    TEXT NOT NULL,
  decision  TEXT NOT NULL,
  at        TEXT NOT NULL,
  UNIQUE (action_id, digest, reviewer)
) STRICT, WITHOUT ROWID;

CREATE TABLE permits (
  action_id   TEXT PRIMARY KEY REFERENCES actions (id) ON DELETE CASCADE,
  digest      TEXT NOT NULL,
  fence       INTEGER NOT NULL,
  status      TEXT NOT NULL,
  state       TEXT NOT NULL,
  lease_owner TEXT,
  lease_until TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX permits_started ON permits (lease_until) WHERE status = 'started';

-- Append-only; hash-linked inside each stream (one stream for each review).
CREATE TABLE audit_events (
  stream   TEXT NOT NULL,
  seq      INTEGER NOT NULL,
  type     TEXT NOT NULL,
  at       TEXT NOT NULL,
  body     TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash     TEXT NOT NULL,
  PRIMARY KEY (stream, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events
BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;
CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events
BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;
CREATE TRIGGER decisions_no_update BEFORE UPDATE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
CREATE TRIGGER decisions_no_delete BEFORE DELETE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;

CREATE TABLE reviewers (
  id   TEXT PRIMARY KEY,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One-time links and the sessions they open; only hashes of the secrets are kept.
CREATE TABLE api_keys (
  hash        TEXT PRIMARY KEY,
  purpose     TEXT NOT NULL CHECK (purpose IN ('link', 'session')),
  reviewer_id TEXT NOT NULL REFERENCES reviewers (id),
  expires_at  TEXT NOT NULL,
  used_at     TEXT
) STRICT, WITHOUT ROWID;
