import type { Client, Submit, SubmitResult } from "@holdpoint/client";
import type { ReviewView } from "@holdpoint/core";
import { firstNotOwn, type SentDecisions } from "./own-decisions.ts";
import { problemOf } from "./problem.ts";

/** What an interrupt is answered with. */
export type AnswerOptions = {
  readonly client: Pick<Client, "review" | "decide">;
  /** Absent while the stream has not named it; the review API then takes the decisions. */
  readonly interruptId: string | undefined;
  readonly review: ReviewView;
  /** The id of who is signed in. */
  readonly reviewerId: string | undefined;
  /** Sends the answer over the stream; `useStream`'s own `respond`. */
  readonly respond: (response: unknown, options: { interruptId: string }) => Promise<void>;
  /** Called before an answer is sent. */
  readonly onSending: (review: ReviewView, sent: SentDecisions) => void;
  /** Called with the review as it stands afterwards, and whether this answer was what settled it. */
  readonly onReview: (review: ReviewView, by: "here" | "elsewhere") => void;
};

/** Decides a review by answering its interrupt over the stream, as any LangChain page would. */
export function answerInterrupt(options: AnswerOptions): Submit {
  const { client, interruptId, review, reviewerId, respond, onSending, onReview } = options;
  return async (decisions) => {
    onSending(review, { decisions, reviewerId });
    if (interruptId === undefined) {
      const result = await client.decide(review.id, decisions);
      if (result.type === "recorded") onReview(result.review, "here");
      return result;
    }
    const inOrder = review.actions.flatMap(({ id }) =>
      decisions
        .filter(({ actionId }) => actionId === id)
        .map(({ actionId, decision }) => ({ ...decision, actionId })),
    );
    let refused: { readonly error: unknown } | undefined;
    try {
      await respond({ decisions: inOrder }, { interruptId });
    } catch (error) {
      refused = { error };
    }
    const reply = await client.review(review.id);
    if (reply.type !== "ok") return reply;
    const result: SubmitResult =
      refused === undefined
        ? { type: "recorded", review: reply.value }
        : afterRefusal(refused.error, { decisions, reviewerId }, reply.value);
    onReview(reply.value, result.type === "recorded" ? "here" : "elsewhere");
    return result;
  };
}

/** The answer was refused: because somebody was first, because its reply got lost, or for itself. */
function afterRefusal(error: unknown, sent: SentDecisions, review: ReviewView): SubmitResult {
  const problem = problemOf(error);
  if (review.status === "open") {
    if (problem.type === "unreachable") return problem;
    return { type: "refused", refusal: { code: "decision_invalid", message: problem.sentence } };
  }
  const message = problem.type === "said" ? problem.sentence : `Review ${review.id} is not open.`;
  const lost = firstNotOwn(review, sent);
  if (lost === undefined) return { type: "recorded", review };
  const recorded = review.actions.find(({ id }) => id === lost.actionId)?.recorded;
  if (recorded === undefined) {
    return { type: "refused", refusal: { code: "review_closed", message } };
  }
  const { reviewer, at, decision } = recorded;
  const details = { actionId: lost.actionId, by: reviewer.name, at, decision: decision.type };
  return { type: "refused", refusal: { code: "already_decided", message, details } };
}
