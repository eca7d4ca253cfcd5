-- What was replied to a request that came with a key, for whoever sends it again.
CREATE TABLE holdpoint.replies (
  caller       text NOT NULL,
  key          text NOT NULL,
  request_hash text NOT NULL,
  reply        text NOT NULL,
  at           text COLLATE "C" NOT NULL,
  PRIMARY KEY (caller, key)
);
CREATE INDEX replies_by_age ON holdpoint.replies (at);
