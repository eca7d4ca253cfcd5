// What must hold of a thread after every kill, found by reading the database anew.
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import type { ActionId, ActionView, ReviewView } from "@holdpoint/core";
import type { Engine, Storage } from "@holdpoint/engine";
import { HoldpointSaver } from "@holdpoint/langchain";
import { createCheckpoints } from "../../../packages/engine/src/checkpoints/checkpoints.ts";
import { createReviews } from "../../../packages/engine/src/reviews/reviews.ts";
import type { Finding, Traces } from "../trial.ts";
import { problemsOfAudit } from "../verify.ts";
import type { Start, ThreadEntry } from "./thread-journal.ts";
import { planOf, type ThreadPlan } from "./thread-plan.ts";
import { problemsOfHistory } from "./whole-history.ts";

type Written = NonNullable<CheckpointTuple["pendingWrites"]>[number];

/** What the database holds of a thread. */
type Stored = {
  readonly tuple: CheckpointTuple | undefined;
  /** What tasks have written beside it, and beside the pause that a new message has just ended. */
  readonly written: readonly Written[];
  /** Of its latest checkpoint, and of tasks of a step that is not over. */
  readonly messages: readonly BaseMessage[];
  readonly reviews: readonly ReviewView[];
};

/** Compares a thread with everything that was shown and done. */
export async function verifyThread(
  storage: Storage,
  seed: number,
  traces: Traces<ThreadEntry, Start>,
): Promise<Finding> {
  const plan = planOf(seed, traces.number);
  const stored = await readThread(storage, plan);
  const problems: string[] = [];
  for (const entry of traces.entries)
    if (!(await isKept(storage, plan, stored, entry)))
      problems.push(`not kept: ${JSON.stringify(entry)}`);
  problems.push(...problemsOfPauses(stored), ...problemsOfStarts(plan, stored, traces.effects));
  problems.push(...problemsOfPermits(stored, traces));
  for (const review of stored.reviews) problems.push(...(await problemsOfAudit(storage, review)));
  const isOver = await isAtItsEnd(storage, plan, stored);
  if (isOver) problems.push(...problemsAtTheEnd(plan, stored));
  const withPermit = (status: ActionView["permit"]): ActionId[] =>
    actionsOf(stored)
      .filter(({ permit }) => permit === status)
      .map(({ id }) => id);
  return {
    violations: problems.map(
      (what) => `thread ${plan.number} (${plan.way}, ${plan.mode}): ${what}`,
    ),
    started: withPermit("started"),
    unknown: withPermit("unknown"),
    isOver,
  };
}

async function readThread(storage: Storage, { threadId }: ThreadPlan): Promise<Stored> {
  const engine = { checkpoints: createCheckpoints(storage) } as Engine; // all that a saver reads with
  const saver = new HoldpointSaver(engine);
  const tuple = await saver.getTuple({ configurable: { thread_id: threadId } });
  const written = [...(tuple?.pendingWrites ?? [])];
  // The model has not been asked since, so what the message has ended is not settled yet.
  for (let at = tuple; at !== undefined && isNewMessage(at);) {
    at = at.parentConfig === undefined ? undefined : await saver.getTuple(at.parentConfig);
    written.push(...(at?.pendingWrites ?? []));
  }
  const reviews = createReviews(storage, { threadResumable: () => undefined });
  const all = await Promise.all(
    (["open", "settled"] as const).map((status) =>
      reviews.list({ status, order: "oldest", limit: 10_000 }),
    ),
  );
  return {
    tuple,
    written,
    messages: [
      ...settledMessages(tuple),
      ...written
        .filter(([, channel]) => channel === "messages")
        .flatMap(([, , value]) => value as BaseMessage[]), // the agent's own state
    ],
    reviews: all.flatMap((page) => page.reviews).filter((review) => review.threadId === threadId),
  };
}

function isNewMessage(tuple: CheckpointTuple): boolean {
  const last = settledMessages(tuple).at(-1);
  return tuple.metadata?.source === "input" || last?.getType() === "human";
}

function settledMessages(tuple: CheckpointTuple | undefined): readonly BaseMessage[] {
  return (tuple?.checkpoint.channel_values["messages"] ?? []) as BaseMessage[]; // the agent's own state
}

function actionsOf({ reviews }: Stored): readonly ActionView[] {
  return reviews.flatMap(({ actions }) => actions);
}

/** Visible means durable. */
async function isKept(
  storage: Storage,
  { threadId }: ThreadPlan,
  stored: Stored,
  entry: ThreadEntry,
): Promise<boolean> {
  switch (entry.type) {
    case "asked":
      return true;
    case "odd":
      return false;
    case "accepted":
      return (await storage.read((reading) => reading.findRun(entry.runId))) !== undefined;
    case "shown": {
      const ids = new Set(stored.messages.map(({ id }) => id));
      return entry.messages.every((id) => ids.has(id));
    }
    case "checkpoint":
      return (
        (await storage.look((reading) => reading.findCheckpoint(threadId, "", entry.id))) !==
        undefined
      );
    case "paused":
      return entry.interrupts.every(({ id, reviewId }) =>
        stored.reviews.some((review) => review.id === reviewId && review.interruptId === id),
      );
    case "decided":
      return entry.decisions.every(({ actionId, decision }) => {
        const recorded = actionsOf(stored).find(({ id }) => id === actionId)?.recorded;
        return recorded?.decision.type === decision.type;
      });
    case "ended": {
      const run = await storage.read((reading) => reading.findRun(entry.runId));
      return run?.status === entry.status;
    }
    default:
      return entry satisfies never;
  }
}

/** A pause and its review are there together or not at all. */
function problemsOfPauses({ written, reviews }: Stored): readonly string[] {
  const raised = written
    .filter(([, channel]) => channel === "__interrupt__")
    .flatMap(([, , value]) => value as { value: { reviewId: string } }[]) // all are the gate's
    .map(({ value }) => value.reviewId);
  const open = reviews.filter(({ status }) => status === "open").map(({ id }) => id);
  const known = new Set<string>(reviews.map(({ id }) => id));
  return [
    ...open.filter((id) => !raised.includes(id)).map((id) => `${id} is open, but no pause waits`),
    ...raised.filter((id) => !known.has(id)).map((id) => `a pause waits for ${id}, but it is lost`),
  ];
}

/** A call starts when the message that asks for it is on disk; what must hold of held ones is below. */
function problemsOfStarts(
  { way }: ThreadPlan,
  stored: Stored,
  starts: readonly Start[],
): readonly string[] {
  const asked = new Set(
    stored.messages
      .filter((message) => AIMessage.isInstance(message))
      .flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)),
  );
  // With `invoke` LangGraph saves a step beside the next one, so a free call may start before.
  const mustBeAsked = starts.filter(({ name }) => way === "runAgent" || name === "pay");
  const lost = mustBeAsked.filter(({ toolCallId }) => !asked.has(toolCallId));
  const held = Map.groupBy(
    starts.filter(({ name }) => name === "pay"),
    ({ toolCallId }) => toolCallId,
  );
  return [
    ...lost.map(({ toolCallId }) => `${toolCallId} started, but nothing asked for it`),
    ...[...held].flatMap(([toolCallId, all]) => problemsOfHeld(stored, toolCallId, all)),
  ];
}

/** A held call starts with an approval, once for each, and is the call that was approved. */
function problemsOfHeld(
  stored: Stored,
  toolCallId: string,
  starts: readonly Start[],
): readonly string[] {
  const approvals = actionsOf(stored).flatMap(({ outcome, permit, ...action }) =>
    action.toolCallId === toolCallId && outcome?.type === "approved" && permit !== "unused"
      ? { edited: outcome.call.args["edited"] === true }
      : [],
  );
  const problems: string[] = [];
  if (starts.length > approvals.length)
    problems.push(
      `${toolCallId} ran ${starts.length} times on ${approvals.length} started approvals`,
    );
  if (!starts.every((start) => approvals.some(({ edited }) => edited === start.edited)))
    problems.push(`${toolCallId} ran, but another call was approved`);
  return problems;
}

/** A receipt tells the truth, and is unknown if and only if a kill left its permit started. */
function problemsOfPermits(
  stored: Stored,
  { effects, diedStarted }: Traces<ThreadEntry, Start>,
): readonly string[] {
  return actionsOf(stored).flatMap(({ id, toolCallId, permit }) => {
    const problems: string[] = [];
    if (permit === "succeeded" && !effects.some((start) => start.toolCallId === toolCallId))
      problems.push(`${id} has a receipt, but it never ran`);
    if (permit === "failed") problems.push(`${id} failed`);
    if (permit === "unknown" && !diedStarted.has(id))
      problems.push(`${id} is unknown, but no kill left it started`);
    if (diedStarted.has(id) && permit !== "started" && permit !== "unknown")
      problems.push(`${id} was left started by a kill and is ${String(permit)} now`);
    return problems;
  });
}

function problemsAtTheEnd(plan: ThreadPlan, { tuple, reviews }: Stored): readonly string[] {
  const open = reviews.filter(({ status }) => status === "open");
  return [
    ...open.map(({ id }) => `it is at its end, and ${id} is open`),
    ...problemsOfHistory(plan, settledMessages(tuple)),
  ];
}

async function isAtItsEnd(
  storage: Storage,
  { threadId, turns }: ThreadPlan,
  { tuple }: Stored,
): Promise<boolean> {
  const messages = settledMessages(tuple);
  const given = new Set(messages.map(({ id }) => id));
  const last = messages.at(-1);
  if (!turns.every(({ messageId }) => given.has(messageId))) return false;
  if (!AIMessage.isInstance(last) || (last.tool_calls ?? []).length > 0) return false;
  const active = await storage.read((reading) => reading.activeRunsOf(threadId));
  return active.length === 0;
}
