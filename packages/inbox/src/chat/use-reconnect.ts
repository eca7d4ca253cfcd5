import { useEffect, useRef } from "react";
import { openReviews } from "../inbox/open-reviews.ts";
import { useStore } from "../state/use-store.ts";
import { problemOf } from "./problem.ts";

/**
 * Calls `reconnect` when the stream has given up and the server answers again. After about twenty
 * seconds without a server the stream client stops trying, and would show no result of any run since.
 */
export function useReconnect(streamError: unknown, reconnect: () => void): void {
  const isReachable = useStore(openReviews).connection.type !== "unreachable";
  const hasGivenUp = streamError !== undefined && problemOf(streamError).type === "unreachable";
  const wasCutOff = useRef(false);

  useEffect(() => {
    if (!hasGivenUp) wasCutOff.current = false;
    else if (!isReachable) wasCutOff.current = true;
    else if (wasCutOff.current) reconnect();
  }, [hasGivenUp, isReachable, reconnect]);
}
