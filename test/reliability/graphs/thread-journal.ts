import type { NamedDecision, ReviewId, RunId } from "@holdpoint/core";
import type { RunStatus } from "@holdpoint/engine";

/** What a worker says of a thread. All but `asked` and `odd` is a promise, or was shown to somebody. */
export type ThreadEntry =
  /** A client is about to give the thread its next message. */
  | { readonly type: "asked"; readonly messageId: string }
  | { readonly type: "accepted"; readonly runId: RunId }
  /** The messages, by id, that an event, the end of a run or the result of `invoke` held. */
  | {
      readonly type: "shown";
      readonly by: "values" | "end" | "invoke";
      readonly messages: readonly string[];
    }
  | { readonly type: "checkpoint"; readonly id: string }
  | { readonly type: "paused"; readonly interrupts: readonly ShownInterrupt[] }
  | {
      readonly type: "decided";
      readonly reviewId: ReviewId;
      readonly decisions: readonly NamedDecision[];
    }
  | { readonly type: "ended"; readonly runId: RunId; readonly status: RunStatus }
  /** What never follows from what clients and the worker do. */
  | { readonly type: "odd"; readonly what: string };

/** An interrupt that somebody was shown, with the review that it says it opened. */
export type ShownInterrupt = { readonly id: string; readonly reviewId: ReviewId };

/** One line of the tools' file: a call has started. */
export type Start = {
  readonly unit: number;
  readonly name: "pay" | "look";
  readonly toolCallId: string;
  /** Its arguments are those that a person put in place of the model's. */
  readonly edited: boolean;
};
