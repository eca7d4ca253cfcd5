-- What somebody is told of a change: written in its transaction, delivered afterwards, at least once. A row is
-- due from due_at on; whoever claims it moves that to the end of the lease. Only topics that have had a
-- consumer are written.

CREATE TABLE delivery_topics (
  topic TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE deliveries (
  id          TEXT PRIMARY KEY,
  topic       TEXT NOT NULL,
  key         TEXT NOT NULL,
  body        TEXT NOT NULL,
  status      TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'stuck')),
  attempts    INTEGER NOT NULL DEFAULT 0,
  fence       INTEGER NOT NULL DEFAULT 0,
  due_at      TEXT NOT NULL,
  lease_owner TEXT,
  last_error  TEXT,
  created_at  TEXT NOT NULL,
  UNIQUE (topic, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_due ON deliveries (topic, due_at, id) WHERE status = 'pending';
CREATE INDEX deliveries_stuck ON deliveries (id) WHERE status = 'stuck';
CREATE INDEX deliveries_claimed ON deliveries (lease_owner) WHERE lease_owner IS NOT NULL;
