import { session } from "../session/session.ts";
import { type Polling, refreshEveryMs, startPolling } from "../state/polling.ts";
import { openReviews } from "./open-reviews.ts";

/** Keeps the open reviews up to date for as long as somebody is signed in. */
export function watchOpenReviews(): void {
  let polling: Polling | undefined;
  const follow = (): void => {
    if (session.get().status === "signed_in") {
      polling ??= startPolling(openReviews.refresh, refreshEveryMs);
    } else {
      polling?.stop();
      polling = undefined;
    }
  };
  session.subscribe(follow);
  follow();
}
