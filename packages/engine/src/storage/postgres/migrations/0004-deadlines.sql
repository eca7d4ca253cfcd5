-- When the undecided actions of a review are rejected. Only what is open and has a deadline is in the index.
ALTER TABLE holdpoint.reviews ADD COLUMN deadline_at text COLLATE "C";
CREATE INDEX reviews_deadline ON holdpoint.reviews (deadline_at, id)
  WHERE status = 'open' AND deadline_at IS NOT NULL;
