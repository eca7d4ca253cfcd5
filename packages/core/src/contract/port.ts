import type { Digest } from "../digest.ts";
import type { Permit, Receipt } from "../review/permit.ts";
import type { Action, Call, Review } from "../review/review.ts";
import type { JsonObject } from "../plain-json.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { NamedDecision } from "./decision.ts";
import type { Refusal } from "./errors.ts";
import type { ActionId, ReviewId } from "./ids.ts";
import type { Reviewer, ReviewView } from "./review-view.ts";

/** Names one tool call for good: the thread, the AI message, and the call in it. */
export type CallKey = {
  readonly threadId: string;
  readonly turnId: string;
  readonly toolCallId: string;
};

/** How an answer names an action: by its own id, or by the id of the tool call. */
export type ActionName =
  | { readonly actionId: ActionId; readonly toolCallId?: string | undefined }
  | { readonly actionId?: undefined; readonly toolCallId: string };

/** A review before it is stored. */
export type ReviewDraft = Omit<Review, "version" | "createdAt" | "state">;

/** An action as it stands, with its review and, once approved, its permit. */
export type ActionRecord = {
  readonly review: Review;
  readonly action: Action;
  readonly permit: Permit | undefined;
};

/** What became of a decide request. */
export type DecideResult =
  | {
      readonly type: "recorded";
      readonly review: Review;
      readonly repeated: boolean;
      /** What is kept under its idempotency key: how the review looked when it was recorded first. */
      readonly reply?: ReviewView;
    }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** What became of a permit command. */
export type PermitResult =
  | { readonly type: "done"; readonly permit: Permit }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** Asks an agent's policy about a call, for edits. */
export type JudgeCall = (call: Call, context: { readonly threadId: string }) => Promise<Verdict>;

/**
 * What the gate needs of the durable heart. Implemented in process by `engine`; whoever needs it
 * gets it passed in. Every promise resolves only after the change is on disk.
 */
export type Holdpoint = {
  /** The time by the clock that deadlines are measured on. */
  readonly now: () => Promise<string>;
  /** Stores a review before its interrupt leaves the node; the same id again returns the first one. */
  readonly openReview: (draft: ReviewDraft) => Promise<Review>;
  /** The latest action for a tool call, or `undefined` when it was never held. */
  readonly findAction: (key: CallKey) => Promise<ActionRecord | undefined>;
  readonly readReview: (id: ReviewId) => Promise<Review | undefined>;
  readonly openReviewsOf: (threadId: string) => Promise<readonly Review[]>;
  /** The review that a LangGraph interrupt of this thread opened, settled ones included. */
  readonly findReviewOfInterrupt: (
    threadId: string,
    interruptId: string,
  ) => Promise<Review | undefined>;
  /** The latest review of this thread that holds, or held, the action that an answer names. */
  readonly findReviewOfAction: (threadId: string, name: ActionName) => Promise<Review | undefined>;
  /** Records decisions: all of them or, with a refusal, none. */
  readonly decide: (request: {
    readonly reviewId: ReviewId;
    readonly decisions: readonly NamedDecision[];
    readonly reviewer: Reviewer;
    /** Messages that join the thread together with the answer; a repeat adds none. */
    readonly addMessages?: readonly JsonObject[];
    /** The same request of the same reviewer under the same key gets the first reply again, for a week. */
    readonly idempotencyKey?: string;
  }) => Promise<DecideResult>;
  /** Closes a review that nobody needs to answer any more; a settled one stays as it is. */
  readonly closeReview: (id: ReviewId, because: string) => Promise<void>;
  /**
   * Consumes a permit for exactly the call with this digest; the fence names this run of the tool. `again`
   * lets an `unknown` one be started once more, for a tool that says that this does no harm.
   */
  readonly startPermit: (
    actionId: ActionId,
    digest: Digest,
    again?: boolean,
  ) => Promise<PermitResult>;
  readonly suspendPermit: (actionId: ActionId, fence: number) => Promise<PermitResult>;
  readonly closePermit: (
    actionId: ActionId,
    fence: number,
    receipt: Receipt,
  ) => Promise<PermitResult>;
  /** Says that the run with this fence was stopped and nobody knows what it did: `unknown`. */
  readonly abandonPermit: (actionId: ActionId, fence: number) => Promise<PermitResult>;
  /** Waits until no run holds the permit; one whose process died becomes `unknown`. */
  readonly awaitPermit: (actionId: ActionId) => Promise<Permit | undefined>;
  /** Lets edits be judged by the policy of the agent that asked. */
  readonly registerAgent: (agent: string, judge: JudgeCall) => void;
};
