import type { Client, Submit, SubmitResult } from "@holdpoint/client";
import { type NamedDecision, type ReviewView, sameJson } from "@holdpoint/core";
import { problemOf } from "./problem.ts";

/** What an interrupt is answered with. */
export type AnswerOptions = {
  readonly client: Pick<Client, "review">;
  readonly interruptId: string;
  readonly review: ReviewView;
  /** The id of who is signed in. */
  readonly reviewerId: string | undefined;
  /** Sends the answer over the stream; `useStream`'s own `respond`. */
  readonly respond: (response: unknown, options: { interruptId: string }) => Promise<void>;
  /** Called with the review as it stands afterwards, and whether this answer was what settled it. */
  readonly onReview: (review: ReviewView, by: "here" | "elsewhere") => void;
};

/** Decides a review by answering its interrupt over the stream, as any LangChain page would. */
export function answerInterrupt(options: AnswerOptions): Submit {
  const { client, interruptId, review, respond, onReview } = options;
  return async (decisions) => {
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
        : afterRefusal(refused.error, decisions, reply.value, options.reviewerId);
    onReview(reply.value, result.type === "recorded" ? "here" : "elsewhere");
    return result;
  };
}

/** The answer was refused: because somebody was first, because its reply got lost, or for itself. */
function afterRefusal(
  error: unknown,
  decisions: readonly NamedDecision[],
  review: ReviewView,
  reviewerId: string | undefined,
): SubmitResult {
  const problem = problemOf(error);
  if (review.status === "open") {
    if (problem.type === "unreachable") return problem;
    return { type: "refused", refusal: { code: "decision_invalid", message: problem.sentence } };
  }
  const message = problem.type === "said" ? problem.sentence : `Review ${review.id} is not open.`;
  for (const { actionId, decision } of decisions) {
    const recorded = review.actions.find(({ id }) => id === actionId)?.recorded;
    if (recorded === undefined)
      return { type: "refused", refusal: { code: "review_closed", message } };
    const mine = recorded.reviewer.id === reviewerId && sameDecision(recorded.decision, decision);
    if (mine) continue;
    const { reviewer, at } = recorded;
    const details = { actionId, by: reviewer.name, at, decision: recorded.decision.type };
    return { type: "refused", refusal: { code: "already_decided", message, details } };
  }
  return { type: "recorded", review };
}

function sameDecision(left: NamedDecision["decision"], right: NamedDecision["decision"]): boolean {
  return sameJson(withoutAbsent(left), withoutAbsent(right));
}

/** As it goes over the wire, where an absent field and an undefined one are the same. */
function withoutAbsent(decision: NamedDecision["decision"]) {
  return JSON.parse(JSON.stringify(decision));
}
