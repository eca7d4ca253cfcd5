import { type Refusal, refusalOf } from "@holdpoint/core";
import type { TestAgent } from "./set-up.ts";

/** One held call as an interrupt shows it; `toolCallId` is ours. */
export type Request = {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly toolCallId?: string;
};

/** The calls that wait, in the order in which they are shown, over all interrupts. */
export async function heldCalls(agent: Pick<TestAgent, "pending">): Promise<Request[]> {
  return (await agent.pending()).flatMap((one) => requestsIn(one.value));
}

/** Answers everything that waits, each interrupt by its id; the same for stock and for both modes. */
export async function answerEach(
  agent: Pick<TestAgent, "pending" | "resume">,
  decide: (request: Request, index: number) => unknown,
): Promise<unknown> {
  let index = 0;
  const answers = (await agent.pending()).map(({ id, value }) => [
    id,
    { decisions: requestsIn(value).map((request) => decide(request, index++)) },
  ]);
  return agent.resume(Object.fromEntries(answers));
}

/** Our refusal inside whatever LangChain made of it; throws when there is none. */
export function refusalIn(error: unknown): Refusal {
  for (let one = error; one instanceof Error; one = one.cause) {
    const refusal = refusalOf(one);
    if (refusal !== undefined) return refusal;
  }
  throw new Error("no refusal of Holdpoint in this error", { cause: error });
}

function requestsIn(value: Record<string, unknown>): Request[] {
  return (value["actionRequests"] ?? []) as Request[]; // both middlewares send a list of them
}
