import { reviewIdSchema } from "@holdpoint/core";
import { useEffect, useRef, useState } from "react";
import { client } from "../client.ts";
import { session } from "../session/session.ts";
import { type Polling, refreshEveryMs, startPolling } from "../state/polling.ts";
import { createWaitingReviews, type LastMessages, type WaitingReviews } from "./waiting-reviews.ts";

/** What `useStream` tells of an interrupt. */
export type StreamInterrupt = { readonly id?: string | undefined; readonly value?: unknown };

/** Follows the reviews of a thread, named by its interrupts or found open, until another message follows. */
export function useWaitingReviews(
  threadId: string | undefined,
  interrupts: readonly StreamInterrupt[],
  progress: LastMessages & { readonly isLoading: boolean },
): WaitingReviews {
  const [held, setHeld] = useState(() => ({ threadId, waiting: createStore(threadId) }));
  // Another thread has other reviews.
  if (held.threadId !== threadId) setHeld({ threadId, waiting: createStore(threadId) });
  const { waiting } = held;
  const { message, request, isLoading } = progress;
  const polling = useRef<Polling>(undefined);

  useEffect(() => {
    polling.current = startPolling(waiting.refresh, refreshEveryMs);
    return polling.current.stop;
  }, [waiting]);

  useEffect(() => {
    waiting.running(isLoading);
    polling.current?.now();
  }, [waiting, isLoading]);

  useEffect(() => {
    waiting.name(interrupts.flatMap(reviewNamedBy).map(({ reviewId }) => reviewId));
    const others = interrupts.filter((interrupt) => reviewNamedBy(interrupt).length === 0);
    waiting.unnamed(others.flatMap(({ id }) => id ?? []));
    polling.current?.now();
  }, [waiting, interrupts]);

  useEffect(() => {
    waiting.reached({ message, request });
    polling.current?.now();
  }, [waiting, message, request]);

  return waiting;
}

function createStore(threadId: string | undefined): WaitingReviews {
  return createWaitingReviews({ client, threadId, onSignedOut: session.signedOut });
}

/** The review that an interrupt names; none when somebody else's middleware raised it. */
export function reviewNamedBy({ id, value }: StreamInterrupt) {
  if (id === undefined || typeof value !== "object" || value === null) return [];
  const named = reviewIdSchema.safeParse("reviewId" in value ? value.reviewId : undefined);
  return named.success ? [{ interruptId: id, reviewId: named.data }] : [];
}
