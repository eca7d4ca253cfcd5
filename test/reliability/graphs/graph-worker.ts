// Run by the harness in a process of its own, which is killed at a named point or at a random moment: clients give
// threads of a real agent their messages and decide what they ask; some threads are run by `runAgent` under claimed
// runs, as a server does it, and some by `agent.invoke`. Whatever the worker is shown is printed at once; what the
// tools do is written to a file outside the database, and synced.
import { type Engine, openEngine } from "@holdpoint/engine";
import type { Orders } from "../journal.ts";
import { seeded } from "../seeded.ts";
import { print, serveOrders } from "../serve-orders.ts";
import { invokeNext } from "./invoke-next.ts";
import { carryOn, startNext } from "./run-threads.ts";
import type { ThreadEntry } from "./thread-journal.ts";
import { decisionOn, type Place, planOf, type ThreadPlan } from "./thread-plan.ts";
import { stateOf, type ThreadStand, type Work } from "./thread-work.ts";
import { workingAgent } from "./working-agent.ts";

/** How many threads a client has at once, and after how many rounds without a change one stands still. */
const together = 3;
const stillAfter = 10;

await serveOrders(workOn);

function say(unit: number, entry: ThreadEntry): void {
  print({ unit, ...entry });
}

async function workOn(orders: Orders): Promise<void> {
  const engine = await openEngine({ database: orders.database });
  const agents = {
    per_call: workingAgent(engine, "per_call", orders),
    batched: workingAgent(engine, "batched", orders),
  };
  const work: Work = { seed: orders.seed, engine, agents, say, underWay: new Set() };
  let next = orders.firstUnit;
  const client = async (known: readonly number[], name: string): Promise<void> => {
    const random = seeded(orders.seed, name, orders.firstUnit);
    let mine = known.map((number) => planOf(orders.seed, number));
    const isStill = createStillness();
    for (let round = 0; mine.length > 0 || round < orders.rounds; round += 1) {
      const wanted = round === 0 ? mine.length + 1 : together; // every life begins some
      while (round < orders.rounds && mine.length < Math.max(wanted, together))
        mine.push(planOf(orders.seed, next++));
      await Promise.all(mine.map((plan) => goOn(work, plan)));
      await carryOn(work);
      for (const plan of mine) await decideSome(engine, orders.seed, { plan, random });
      await carryOn(work);
      const stands = await Promise.all(mine.map((plan) => stateOf(work, plan)));
      mine = mine.filter(({ number }, index) => {
        const isStuck = isStill(number, stands[index]);
        if (isStuck) say(number, { type: "odd", what: "it stands still" });
        return stands[index]?.isOver !== true && !isStuck;
      });
    }
  };
  const isFirst = (_: number, index: number): boolean => index % 2 === 0;
  const others = (_: number, index: number): boolean => index % 2 === 1;
  await Promise.all([
    client(orders.again.filter(isFirst), "first"),
    client(orders.again.filter(others), "second"),
  ]);
  await engine.settleLost(); // what nobody waits for: a new message has ended its turn
  await engine.close();
}

async function goOn(work: Work, plan: ThreadPlan): Promise<void> {
  try {
    await (plan.way === "runAgent" ? startNext(work, plan) : invokeNext(work, plan));
  } catch (error) {
    say(plan.number, { type: "odd", what: String(error) });
  }
}

async function decideSome(
  engine: Engine,
  seed: number,
  { plan, random }: { readonly plan: ThreadPlan; readonly random: () => number },
): Promise<void> {
  for (const review of await engine.openReviewsOf(plan.threadId)) {
    if (random() < 0.2) continue; // it waits a while
    const decisions = review.actions.map(({ id, call }) => ({
      actionId: id,
      decision: decisionOn(seed, review.cause, call.args as Place["args"]),
    }));
    const reviewer = { id: "anna", name: "Anna" };
    const result = await engine.decide({ reviewId: review.id, decisions, reviewer });
    if (result.type === "recorded")
      say(plan.number, { type: "decided", reviewId: review.id, decisions });
    else say(plan.number, { type: "odd", what: result.refusal.message });
  }
}

/** Tells of a thread that stood as it stands now for several rounds: nobody will move it. */
function createStillness(): (unit: number, stand: ThreadStand | undefined) => boolean {
  const known = new Map<number, { readonly stand: string; readonly rounds: number }>();
  return (unit, stood) => {
    const stand = JSON.stringify(stood);
    const before = known.get(unit);
    const rounds = before?.stand === stand ? before.rounds + 1 : 0;
    known.set(unit, { stand, rounds });
    return stood?.isOver === false && rounds >= stillAfter;
  };
}
