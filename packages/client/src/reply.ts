import type { Refusal, ReviewView } from "@holdpoint/core";

/** The server understood and said no; nothing changed. */
export type Refused = { readonly type: "refused"; readonly refusal: Refusal };

/** No answer came; a decision may or may not have arrived, and sending the same one again is safe. */
export type Unreachable = { readonly type: "unreachable" };

/** Why there is no answer to work with. */
export type Failure = Refused | Unreachable;

/** What became of a read. */
export type Reply<T> = { readonly type: "ok"; readonly value: T } | Failure;

/** What became of sending decisions; when recorded, with the review as it now stands. */
export type SubmitResult = { readonly type: "recorded"; readonly review: ReviewView } | Failure;
