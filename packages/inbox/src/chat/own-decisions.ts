import { type NamedDecision, type ReviewView, sameJson } from "@holdpoint/core";

/** Decisions as somebody sent them. */
export type SentDecisions = {
  readonly decisions: readonly NamedDecision[];
  /** The id of who is signed in. */
  readonly reviewerId: string | undefined;
};

/** The first of the sent decisions that is not what was recorded; `undefined` when all of them are. */
export function firstNotOwn(review: ReviewView, sent: SentDecisions): NamedDecision | undefined {
  return sent.decisions.find(({ actionId, decision }) => {
    const recorded = review.actions.find(({ id }) => id === actionId)?.recorded;
    const isOwn =
      recorded !== undefined &&
      recorded.reviewer.id === sent.reviewerId &&
      sameJson(withoutAbsent(recorded.decision), withoutAbsent(decision));
    return !isOwn;
  });
}

/** As it goes over the wire, where an absent field and an undefined one are the same. */
function withoutAbsent(decision: NamedDecision["decision"]) {
  return JSON.parse(JSON.stringify(decision));
}
