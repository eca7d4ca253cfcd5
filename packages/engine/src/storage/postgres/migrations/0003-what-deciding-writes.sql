-- Deciding touches no index that it need not: the reviews of a thread are looked for while they are open,
-- and a decision has one key, the one that makes a repeated click safe.

DROP INDEX holdpoint.reviews_of_thread;
CREATE INDEX reviews_open_of_thread ON holdpoint.reviews (thread_id) WHERE status = 'open';

ALTER TABLE holdpoint.decisions DROP CONSTRAINT decisions_pkey;
ALTER TABLE holdpoint.decisions DROP CONSTRAINT decisions_action_id_digest_reviewer_key;
ALTER TABLE holdpoint.decisions ADD PRIMARY KEY (action_id, digest, reviewer);
