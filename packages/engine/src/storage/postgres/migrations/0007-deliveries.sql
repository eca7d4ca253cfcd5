-- What somebody is told of a change: written in its transaction, delivered afterwards, at least once. A row is
-- due from due_at on; whoever claims it moves that to the end of the lease. Only topics that have had a
-- consumer are written.

CREATE TABLE holdpoint.delivery_topics (
  topic text PRIMARY KEY
);

CREATE TABLE holdpoint.deliveries (
  id          text COLLATE "C" PRIMARY KEY,
  topic       text NOT NULL,
  key         text NOT NULL,
  body        text NOT NULL,
  status      text NOT NULL CHECK (status IN ('pending', 'delivered', 'stuck')),
  attempts    integer NOT NULL DEFAULT 0,
  fence       integer NOT NULL DEFAULT 0,
  due_at      text COLLATE "C" NOT NULL,
  lease_owner text,
  last_error  text,
  created_at  text NOT NULL,
  UNIQUE (topic, key)
);
CREATE INDEX deliveries_due ON holdpoint.deliveries (topic, due_at, id) WHERE status = 'pending';
CREATE INDEX deliveries_stuck ON holdpoint.deliveries (id) WHERE status = 'stuck';
CREATE INDEX deliveries_claimed ON holdpoint.deliveries (lease_owner) WHERE lease_owner IS NOT NULL;
