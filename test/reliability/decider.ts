// Run by the conflict harness in a process of its own: some of the clients, who all decide the same
// reviews at once and against each other, and look at them before and after. Every call and every answer
// is printed with the time on the machine's steady clock, which all processes share.
import { flushCompileCache } from "node:module";
import process from "node:process";
import { createInterface } from "node:readline";
import { refusalOf } from "@holdpoint/core";
import { type Engine, openEngine } from "@holdpoint/engine";
import type { ConflictMessage, ConflictOrders } from "./conflict-messages.ts";
import { pick, seeded } from "./seeded.ts";
import { unitOf } from "./unit.ts";
import { printLine } from "../../packages/engine/src/testing/print-line.ts";

let engine: Engine | undefined;

flushCompileCache();
print({ type: "ready" });
for await (const line of createInterface({ input: process.stdin })) {
  const orders = JSON.parse(line) as ConflictOrders; // written by the harness
  engine ??= await openEngine({ database: orders.database });
  await contendForAll(engine, orders);
  print({ type: `done ${orders.round}` });
}

function print(message: ConflictMessage): void {
  printLine(JSON.stringify(message));
}

async function contendForAll(
  open: Engine,
  { seed, units, clients }: ConflictOrders,
): Promise<void> {
  await Promise.all(
    clients.flatMap((client) => units.map((unit) => contend(open, { seed, unit, client }))),
  );
}

async function contend(
  open: Engine,
  { seed, unit, client }: { seed: number; unit: number; client: string },
): Promise<void> {
  const random = seeded(seed, client, unit);
  const type = pick(random, ["approve", "reject"] as const);
  if (random() < 0.3) await look(open, { seed, unit, client });
  await decide(open, { seed, unit, client }, type);
  if (random() < 0.3) await decide(open, { seed, unit, client }, type); // a second click
  if (random() < 0.3) await look(open, { seed, unit, client });
}

type Who = { readonly seed: number; readonly unit: number; readonly client: string };

async function look(open: Engine, { seed, unit, client }: Who): Promise<void> {
  const called = now();
  const review = await insist(() => open.readReview(unitOf(seed, unit).draft.id));
  const [action] = review?.actions ?? [];
  const says =
    action?.state.status === "decided"
      ? `${action.state.recorded?.reviewer.name} ${action.state.recorded?.decision.type}`
      : "open";
  print({ type: "looked", unit, client, called, answered: now(), says });
}

async function decide(
  open: Engine,
  { seed, unit, client }: Who,
  type: "approve" | "reject",
): Promise<void> {
  const { draft } = unitOf(seed, unit);
  const decisions = draft.actions.map(({ id }) => ({ actionId: id, decision: { type } }));
  const called = now();
  print({ type: "calling", unit, client, called, wants: `${client} ${type}` });
  try {
    const reviewer = { id: client, name: client };
    const result = await insist(() => open.decide({ reviewId: draft.id, decisions, reviewer }));
    const answered = now();
    if (result.type === "recorded") {
      print({ type: "won", unit, client, called, answered, says: `${client} ${type}` });
      return;
    }
    const { by, decision } = result.refusal.details ?? {};
    const says =
      typeof by === "string" && typeof decision === "string"
        ? `${by} ${decision}`
        : `nobody: ${result.refusal.message}`;
    print({ type: "lost", unit, client, called, answered, says });
  } catch (error) {
    print({ type: "failed", unit, client, called, answered: now(), says: String(error) });
  }
}

/** Who does not learn what became of a request sends the same again, until there is an answer. */
async function insist<Result>(request: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (refusalOf(error)?.code !== "database_unwell") throw error;
    }
  }
}

function now(): number {
  return Number(process.hrtime.bigint());
}
