-- When the undecided actions of a review are rejected. Only what is open and has a deadline is in the index.
ALTER TABLE reviews ADD COLUMN deadline_at TEXT;
CREATE INDEX reviews_deadline ON reviews (deadline_at, id) WHERE status = 'open' AND deadline_at IS NOT NULL;
