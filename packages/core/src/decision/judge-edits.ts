import type { NamedDecision } from "../contract/decision.ts";
import type { ActionId } from "../contract/ids.ts";
import type { JudgeCall } from "../contract/port.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { Review } from "../review/review.ts";

/** What an agent's policy says of each edited call, by action; an edit without a verdict will be refused. */
export async function judgeEdits(
  judge: JudgeCall | undefined,
  review: Review,
  decisions: readonly NamedDecision[],
): Promise<ReadonlyMap<ActionId, Verdict>> {
  const verdicts = new Map<ActionId, Verdict>();
  if (judge === undefined) return verdicts;
  for (const { actionId, decision } of decisions) {
    if (decision.type !== "edit") continue;
    try {
      verdicts.set(actionId, await judge(decision.editedAction, { threadId: review.threadId }));
    } catch {
      // A policy that fails gives no verdict.
    }
  }
  return verdicts;
}
