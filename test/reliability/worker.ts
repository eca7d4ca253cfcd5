// Run by the harness in a process of its own, which is killed at a named point or at a random moment:
// clients start threads and decide them, all at once and against each other; the worker claims the runs,
// holds calls, and carries out those that were approved. What the tool does is written to a file
// outside the database, and synced; every promise is printed as soon as it was given.
import type { Action, Refusal, ReviewDraft, ReviewView } from "@holdpoint/core";
import { type Engine, openEngine, type Run, type TaskWrites } from "@holdpoint/engine";
import type { Effect, Entry, Orders } from "./journal.ts";
import { seeded } from "./seeded.ts";
import { print, serveOrders } from "./serve-orders.ts";
import { takeEffect } from "./take-effect.ts";
import { agent, numberOf, receiptOf, type Unit, unitOf } from "./unit.ts";

/** How many units each client starts at once. */
const together = 2;

await serveOrders(work);

function say(unit: number, entry: Entry): void {
  print({ unit, ...entry });
}

async function work(orders: Orders): Promise<void> {
  const engine = await openEngine({ database: orders.database });
  for (const topic of ["review.settled", "review.reminder"])
    await engine.deliveries.deliver(topic, () => Promise.resolve());
  const random = seeded(orders.seed, "worker", orders.firstUnit);
  let next = orders.firstUnit;
  let again = orders.again;
  const round = async (isLast: boolean): Promise<void> => {
    const units = [...again, ...(isLast ? [] : Array.from({ length: together }, () => next++))];
    again = [];
    await Promise.all(units.map((unit) => ask(engine, unitOf(orders.seed, unit))));
    await carryOn(engine, orders, random);
    await decideOpenOnes(engine, orders.seed);
    await carryOn(engine, orders, random);
  };
  const client = async (): Promise<void> => {
    for (let done = 0; done < orders.rounds; done += 1) await round(false);
  };
  await Promise.all([client(), client()]);
  await round(true);
  await engine.close();
}

async function ask(engine: Engine, { number, threadId, input }: Unit): Promise<void> {
  say(number, { type: "asked" });
  const started = await engine.runs.start({ threadId, agent, input, dedupeKey: "first" });
  if (started.type === "started") say(number, { type: "accepted", runId: started.run.id });
  else say(number, { type: "odd", what: started.refusal.message });
}

async function decideOpenOnes(engine: Engine, seed: number): Promise<void> {
  const { reviews } = await engine.reviews.list({ status: "open", order: "oldest", limit: 100 });
  await Promise.all(
    reviews.flatMap(({ threadId }) => {
      const unit = unitOf(seed, numberOf(threadId));
      return unit.answers.map((answer) => decide(engine, unit, answer));
    }),
  );
}

async function decide(
  engine: Engine,
  { number, draft }: Unit,
  { reviewer, decisions }: Unit["answers"][number],
): Promise<void> {
  try {
    const request = { reviewId: draft.id, decisions, reviewer };
    const idempotencyKey = `${draft.id} ${JSON.stringify(decisions)}`;
    const result = await engine.decide(number % 2 === 0 ? request : { ...request, idempotencyKey });
    if (result.type === "recorded")
      say(number, { type: "decided", reviewer: reviewer.id, decisions });
    else say(number, entryOf(draft, result.refusal));
  } catch (error) {
    say(number, { type: "odd", what: String(error) });
  }
}

/** Whoever comes too late is told who was first. */
function entryOf(draft: ReviewDraft, { code, message, details = {} }: Refusal): Entry {
  const { actionId, by, decision } = details;
  const action = draft.actions.find(({ id }) => id === actionId);
  const isConflict = code === "already_decided" && action !== undefined;
  return isConflict && typeof by === "string" && typeof decision === "string"
    ? { type: "lost", actionId: action.id, by, decision }
    : { type: "odd", what: message };
}

/** Several workers of one process, until nothing is due. */
async function carryOn(engine: Engine, orders: Orders, random: () => number): Promise<void> {
  const worker = async (): Promise<void> => {
    for (;;) {
      const run = await engine.runs.claim([agent]);
      if (run === undefined) return;
      if (random() < 0.05) await engine.runs.release(run);
      else await perform(engine, orders, run);
    }
  };
  await Promise.all([worker(), worker(), worker()]);
}

function save(
  engine: Engine,
  { checkpoint, part }: Unit["checkpoints"]["done"],
  tasks: readonly TaskWrites[],
): Promise<void> {
  return engine.checkpoints.save([
    { key: checkpoint, checkpoint, apart: { parts: [part] }, tasks },
  ]);
}

async function perform(engine: Engine, orders: Orders, run: Run): Promise<void> {
  const unit = unitOf(orders.seed, numberOf(run.threadId));
  const { waiting, done } = unit.checkpoints;
  if (run.kind === "start") {
    const value = Buffer.from("interrupt");
    const write = { taskId: "task", index: 0, channel: "c", taskPath: "", type: "json", value };
    const tasks = [{ writes: [write], reviews: [unit.draft] }];
    await save(engine, waiting, tasks);
    say(unit.number, { type: "saved", which: "waiting" });
    return end(engine, run, "interrupted");
  }
  const view = await engine.reviews.view(unit.draft.id);
  await Promise.all(
    approvedOf(unit, view).map((action) => runTool(engine, orders, unit.number, action)),
  );
  await save(engine, done, []);
  say(unit.number, { type: "saved", which: "done" });
  return end(engine, run, "completed");
}

async function end(engine: Engine, run: Run, status: Run["status"]): Promise<void> {
  const event = { method: "lifecycle", keep: true, body: (seq: number) => ({ seq, status }) };
  const ended = await engine.runs.end(run, status, [event]);
  if (ended.type === "stored")
    say(numberOf(run.threadId), { type: "ended", runId: run.id, status });
  else say(numberOf(run.threadId), { type: "odd", what: `run ${run.id} was lost to nobody` });
}

function approvedOf({ draft }: Unit, view: ReviewView | undefined): readonly Action[] {
  return draft.actions.filter(({ id }) =>
    view?.actions.some((action) => action.id === id && action.outcome?.type === "approved"),
  );
}

/** Two callers want to run the same call, whatever became of it before; the engine lets at most one. */
async function runTool(
  engine: Engine,
  { effects }: Orders,
  unit: number,
  action: Action,
): Promise<void> {
  const { id: actionId, digest } = action;
  const before = await engine.awaitPermit(actionId);
  if (before?.state.status === "unknown") say(unit, { type: "unknown", actionId });
  const caller = async (): Promise<void> => {
    const started = await engine.startPermit(actionId, digest);
    if (started.type === "refused") return;
    const { fence } = started.permit;
    say(unit, { type: "started", actionId, fence });
    takeEffect(effects, { actionId, fence, digest } satisfies Effect);
    const receipt = { status: "succeeded", message: receiptOf(actionId) } as const;
    const closed = await engine.closePermit(actionId, fence, receipt);
    if (closed.type === "done") say(unit, { type: "closed", actionId });
    else say(unit, { type: "odd", what: closed.refusal.message });
  };
  await Promise.all([caller(), caller()]);
}
