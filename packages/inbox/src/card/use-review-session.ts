import { createReviewSession, type ReviewSession, type Submit } from "@holdpoint/client";
import type { ReviewView } from "@holdpoint/core";
import { useEffect, useState } from "react";
import { tabDrafts } from "./draft-storage.ts";

/** The session of a card, for as long as the card is there; fresher readings of the review go into it. */
export function useReviewSession(review: ReviewView, submit: Submit): ReviewSession {
  const [{ session, sendThrough }] = useState(() => openSession(review, submit));
  useEffect(() => {
    sendThrough(submit);
  }, [sendThrough, submit]);
  useEffect(() => {
    session.update(review);
  }, [session, review]);
  return session;
}

/** A session that sends through the newest `submit`: a page may make a new one each time it is drawn. */
function openSession(review: ReviewView, first: Submit) {
  let submit = first;
  return {
    session: createReviewSession(review, (decisions) => submit(decisions), tabDrafts),
    sendThrough: (newest: Submit) => {
      submit = newest;
    },
  };
}
