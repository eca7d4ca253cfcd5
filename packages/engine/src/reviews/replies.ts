import { type JsonObject, type Refusal, type ReviewId, type ReviewView } from "@holdpoint/core";
import { later } from "../clock.ts";
import { digestOf } from "../digest.ts";
import type { Reading, ReplyKey, StoredReply, Writing } from "../storage/storage.ts";
import type { DecideRequest } from "./decide-request.ts";

/** How long a reply is kept for whoever sends the same request again: a week, in milliseconds. */
const keptFor = 7 * 24 * 60 * 60 * 1000;

/** The replies that were given under the keys of some requests, as far as they are known. */
export type Replies = {
  /** What is replied to this very request, from its first time on; `undefined` before. */
  readonly of: (request: DecideRequest) => ReviewView | undefined;
  /** Why the request cannot come under its key, or `undefined`. */
  readonly problemWith: (request: DecideRequest) => Refusal | undefined;
  /** From here on the request has been decided, and its reply is to be kept. */
  readonly expect: (request: DecideRequest) => void;
  /** Keeps the replies that are expected, in the caller's transaction; `reply` makes each. */
  readonly keep: (
    writing: Writing,
    reply: (id: ReviewId) => Promise<ReviewView | undefined>,
  ) => Promise<void>;
};

/** Reads the replies that were given under the keys of these requests. */
export async function repliesTo(
  reading: Reading,
  requests: readonly DecideRequest[],
): Promise<Replies> {
  const keys = requests.flatMap((request) => keyOf(request) ?? []);
  const known = new Map<string, { readonly hash: string; readonly reply?: ReviewView }>();
  for (const { requestHash, reply, ...key } of keys.length > 0
    ? await reading.findReplies(keys)
    : [])
    known.set(nameOf(key), { hash: requestHash, reply: reply as unknown as ReviewView }); // as it was kept
  const expected = new Map<string, DecideRequest>();
  const knownOf = (request: DecideRequest) => {
    const key = keyOf(request);
    return key === undefined ? undefined : known.get(nameOf(key));
  };
  return {
    of: (request) => knownOf(request)?.reply,
    problemWith: (request) => {
      const hash = knownOf(request)?.hash;
      return hash === undefined || hash === hashOf(request) ? undefined : keyUsed(request);
    },
    expect: (request) => {
      const key = keyOf(request);
      if (key === undefined || knownOf(request)?.reply !== undefined) return;
      known.set(nameOf(key), { hash: hashOf(request) });
      expected.set(nameOf(key), request);
    },
    keep: async (writing, reply) => {
      const rows: StoredReply[] = [];
      for (const request of expected.values()) {
        const key = keyOf(request);
        const view = await reply(request.reviewId);
        if (key === undefined || view === undefined) continue;
        const requestHash = hashOf(request);
        const kept = JSON.parse(JSON.stringify(view)) as JsonObject; // a view is JSON but for absent fields
        rows.push({ ...key, requestHash, reply: kept, at: writing.now });
        known.set(nameOf(key), { hash: requestHash, reply: view });
      }
      if (rows.length === 0) return;
      await writing.insertReplies(rows);
      await writing.dropReplies(later(writing.now, -keptFor));
    },
  };
}

function keyOf({ reviewer, idempotencyKey: key }: DecideRequest): ReplyKey | undefined {
  return key === undefined ? undefined : { caller: reviewer.id, key };
}

function nameOf({ caller, key }: ReplyKey): string {
  return JSON.stringify([caller, key]);
}

function hashOf({ reviewId, decisions, addMessages = [] }: DecideRequest): string {
  const request = { reviewId, decisions, addMessages };
  return digestOf(JSON.parse(JSON.stringify(request)) as JsonObject); // drops absent fields
}

function keyUsed({ idempotencyKey: key = "" }: DecideRequest): Refusal {
  return {
    code: "idempotency_key_used",
    message: `The idempotency key "${key}" was used for another request; send this one with a new key. Nothing was changed.`,
    details: { key },
  };
}
