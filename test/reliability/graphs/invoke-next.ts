import { Command } from "@langchain/langgraph";
import { recordedVote } from "@holdpoint/langchain";
import type { ReviewId } from "@holdpoint/core";
import { follow } from "./run-threads.ts";
import type { ShownInterrupt } from "./thread-journal.ts";
import type { ThreadPlan } from "./thread-plan.ts";
import { configOf, inputOf, stateOf, type ThreadStand, type Work } from "./thread-work.ts";

/** What `invoke` returns, as far as it is looked at. */
type Result = {
  readonly messages: readonly { readonly id: string }[];
  readonly __interrupt__?: readonly {
    readonly id: string;
    readonly value: { readonly reviewId: ReviewId };
  }[];
};

/** Does with a thread what somebody does who has no queue of runs: resumes it, finishes it, or gives it a message. */
export async function invokeNext(work: Work, plan: ThreadPlan): Promise<void> {
  const { agents, say } = work;
  const input = await inputFor(work, plan, await stateOf(work, plan));
  if (input === undefined) return;
  const [message] = input !== null && "messages" in input ? input.messages : [];
  if (message !== undefined) say(plan.number, { type: "asked", messageId: message.id });
  if (plan.way === "both" && message === undefined) {
    await follow(work, plan, { input: undefined });
    return;
  }
  const agent = agents[plan.mode];
  const invoke = agent.invoke.bind(agent) as (input: unknown, config: unknown) => Promise<Result>; // its types know no `null`
  const result = await invoke(input, configOf(plan));
  const messages = result.messages.map(({ id }) => id);
  say(plan.number, { type: "shown", by: "invoke", messages });
  const interrupts = (result.__interrupt__ ?? []).map(({ id, value }): ShownInterrupt => ({
    id,
    reviewId: value.reviewId,
  }));
  if (interrupts.length > 0) say(plan.number, { type: "paused", interrupts });
}

/** The decided of its questions are answered though others wait. */
async function inputFor(
  { engine }: Work,
  { threadId }: ThreadPlan,
  { pending, isUnfinished, nextMessage, cutBy }: ThreadStand,
): Promise<ReturnType<typeof inputOf> | Command | null | undefined> {
  const open = new Set((await engine.openReviewsOf(threadId)).map((one) => one.interruptId));
  const decided = pending.filter((id) => !open.has(id));
  if (cutBy !== undefined && decided.length < pending.length) return inputOf(cutBy);
  if (decided.length > 0)
    return new Command({ resume: Object.fromEntries(decided.map((id) => [id, recordedVote])) });
  if (pending.length > 0) return undefined;
  if (isUnfinished) return null;
  return nextMessage === undefined ? undefined : inputOf(nextMessage);
}
