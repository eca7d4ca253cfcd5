import { GraphInterrupt, interrupt, isGraphInterrupt } from "@langchain/langgraph";
import {
  type Holdpoint,
  type InterruptPayload,
  nameDecisions,
  positionalAnswerSchema,
  type Refusal,
  type Review,
  type ReviewDraft,
  type Reviewer,
} from "@holdpoint/core";
import { payloadOf } from "./interrupt-payload.ts";

/**
 * Waiting for a person inside a LangGraph task. A resume value is only a vote: the outcome is read from
 * the record. Votes are taken in order; `round` counts those this task has consumed, so that a second
 * review of the same task never reads a vote that was cast for the first.
 */
export type Waiting = {
  readonly holdpoint: Holdpoint;
  /** True when the checkpointer opens the review together with the interrupt's writes. */
  readonly saverOpensReviews: boolean;
  /** Who answers when a bare `Command({ resume })` carries the decisions. */
  readonly resumer: Reviewer;
  /** The interrupt ids that the caller's resume names; a bare value names none. */
  readonly named: ReadonlySet<string>;
  round: number;
};

/** What the server resumes with: no vote, only "read the record". */
export const recordedVote = { holdpoint: "recorded" } as const;

/** Opens a review by raising its interrupt. Never returns. */
export async function askPerson(
  waiting: Waiting,
  draft: (round: number) => Omit<ReviewDraft, "interruptId">,
): Promise<never> {
  for (;;) {
    const asked = draft(waiting.round);
    try {
      interrupt(payloadOf(asked));
    } catch (error) {
      if (!isGraphInterrupt(error)) throw error;
      const interruptId = error.interrupts[0]?.id;
      if (interruptId !== undefined && !waiting.saverOpensReviews) {
        await waiting.holdpoint.openReview({ ...asked, interruptId });
      }
      throw error;
    }
    waiting.round += 1; // a vote that was cast for an earlier review of this task
  }
}

/** Returns the review once it is settled; until then raises its interrupt again under the same id. */
export async function awaitDecision(waiting: Waiting, review: Review): Promise<Review> {
  let notice: Pick<InterruptPayload, "conflict" | "problem"> = {};
  for (;;) {
    const vote = takeVote(review, notice);
    waiting.round += 1;
    if (waiting.round <= review.round) continue;
    const answer = positionalAnswerSchema.safeParse(vote);
    if (answer.success) {
      const refusal = await castVote(waiting, review, answer.data.decisions);
      if (refusal !== undefined) {
        notice = noticeOf(refusal);
        continue;
      }
    }
    const current = (await waiting.holdpoint.readReview(review.id)) ?? review;
    if (current.state.status !== "open") return current;
    notice = answer.success
      ? {}
      : {
          problem:
            'The answer was not understood; send { decisions: [{ type: "approve" }] } or another allowed decision.',
        };
  }
}

function takeVote(review: Review, notice: Pick<InterruptPayload, "conflict" | "problem">): unknown {
  const value = { ...payloadOf(review), ...notice };
  try {
    return interrupt(value);
  } catch (error) {
    if (!isGraphInterrupt(error)) throw error;
    throw new GraphInterrupt([{ id: review.interruptId, value }]);
  }
}

async function castVote(
  waiting: Waiting,
  review: Review,
  decisions: Parameters<typeof nameDecisions>[1],
): Promise<Refusal | undefined> {
  const ambiguous = await ambiguity(waiting, review);
  if (ambiguous !== undefined) return ambiguous;
  const named = nameDecisions(review, decisions);
  if (named.type === "refused") return named.refusal;
  const result = await waiting.holdpoint.decide({
    reviewId: review.id,
    decisions: named.decisions,
    reviewer: waiting.resumer,
  });
  return result.type === "refused" ? result.refusal : undefined;
}

/** One bare value must not answer several reviews: each has to be named by its interrupt. */
async function ambiguity(waiting: Waiting, review: Review): Promise<Refusal | undefined> {
  if (waiting.named.has(review.interruptId)) return undefined;
  const open = await waiting.holdpoint.openReviewsOf(review.threadId);
  if (open.length < 2) return undefined;
  const ids = open.map((one) => one.interruptId);
  return {
    code: "decision_invalid",
    message: `Several reviews wait on thread ${review.threadId}, so a bare resume value answers none of them; resume each by its interrupt id: ${ids.join(", ")}.`,
    details: { threadId: review.threadId, interruptIds: ids },
  };
}

function noticeOf(refusal: Refusal): Pick<InterruptPayload, "conflict" | "problem"> {
  const { by, at, decision } = refusal.details ?? {};
  return typeof by === "string" && typeof at === "string" && typeof decision === "string"
    ? { conflict: { by, at, decision }, problem: refusal.message }
    : { problem: refusal.message };
}
