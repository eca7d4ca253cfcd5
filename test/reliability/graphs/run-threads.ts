import type { Run, RunStatus } from "@holdpoint/engine";
import { type AgentEvent, type AgentRun, type AgentRunEnd, runAgent } from "@holdpoint/langchain";
import { numberOf } from "../unit.ts";
import type { ShownInterrupt } from "./thread-journal.ts";
import { inputOf, type Say, stateOf, type Work } from "./thread-work.ts";
import { modes, planOf, type ThreadPlan } from "./thread-plan.ts";

/** Starts a thread's next turn, when it is through with what it had. */
export async function startNext(work: Work, plan: ThreadPlan): Promise<void> {
  const { number, threadId, mode } = plan;
  const { nextMessage } = await stateOf(work, plan);
  if (nextMessage === undefined) return;
  work.say(number, { type: "asked", messageId: nextMessage });
  const started = await work.engine.runs.start({
    threadId,
    agent: mode,
    input: inputOf(nextMessage),
    dedupeKey: nextMessage,
  });
  if (started.type === "started") work.say(number, { type: "accepted", runId: started.run.id });
  else work.say(number, { type: "odd", what: started.refusal.message });
}

/** Several workers of one process, until nothing is due and nobody works. */
export async function carryOn(work: Work): Promise<void> {
  const { engine, underWay } = work;
  const worker = async (): Promise<void> => {
    for (;;) {
      const run = await engine.runs.claim(modes);
      if (run === undefined) return;
      const performed = perform(work, run);
      underWay.add(performed);
      await performed;
      underWay.delete(performed);
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  await Promise.all(underWay); // what another client's workers have taken may be of this one's threads
}

async function perform(work: Work, run: Run): Promise<void> {
  const plan = planOf(work.seed, numberOf(run.threadId));
  const status = await follow(work, plan, { runId: run.id, input: run.input });
  await end(work, run, { unit: plan.number, status });
}

/** Runs a thread by `runAgent`, and prints what it shows and how it ends. */
export async function follow(
  { engine, agents, say }: Work,
  { number, threadId, mode }: ThreadPlan,
  run: Pick<AgentRun, "runId" | "input">,
): Promise<AgentRunEnd["status"]> {
  const stream = runAgent({ agent: agents[mode], engine, threadId, ...run });
  let last: readonly string[] = [];
  let ended: AgentRunEnd | undefined;
  while (ended === undefined) {
    const next = await stream.next();
    if (next.done === true) ended = next.value;
    else last = show(say, number, next.value) ?? last;
  }
  if (ended.status === "failed") say(number, { type: "odd", what: String(ended.error) });
  else say(number, { type: "shown", by: "end", messages: last });
  if (ended.status === "interrupted") {
    const interrupts = ended.open.map(({ id, review }): ShownInterrupt => ({
      id,
      reviewId: review.id,
    }));
    say(number, { type: "paused", interrupts });
  }
  return ended.status;
}

/** Of the events `checkpoints` and `values`, what is looked at. */
type Shown = { readonly id: string; readonly messages?: readonly { readonly id: string }[] };

/** Prints what an event shows, and returns the messages in it. */
function show(
  say: Say,
  unit: number,
  { method, params }: AgentEvent,
): readonly string[] | undefined {
  const { namespace, data } = params as { namespace: string[]; data: Shown }; // LangGraph's own
  if (namespace.length > 0) return undefined;
  if (method === "checkpoints") say(unit, { type: "checkpoint", id: data.id });
  if (method !== "values") return undefined;
  const messages = data.messages?.map(({ id }) => id) ?? [];
  say(unit, { type: "shown", by: "values", messages });
  return messages;
}

async function end(
  { engine, say }: Work,
  run: Run,
  { unit, status }: { readonly unit: number; readonly status: RunStatus },
): Promise<void> {
  const event = { method: "lifecycle", keep: true, body: (seq: number) => ({ seq, status }) };
  const ended = await engine.runs.end(run, status, [event]);
  if (ended.type === "stored") say(unit, { type: "ended", runId: run.id, status });
  else say(unit, { type: "odd", what: `run ${run.id} was lost to nobody` });
}
