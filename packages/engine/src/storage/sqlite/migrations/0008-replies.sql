-- What was replied to a request that came with a key, for whoever sends it again.
CREATE TABLE replies (
  caller       TEXT NOT NULL,
  key          TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  reply        TEXT NOT NULL,
  at           TEXT NOT NULL,
  PRIMARY KEY (caller, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX replies_by_age ON replies (at);
