// The crash loop: a worker works on one database, is killed, and starts again on the same database;
// after every kill all that was promised is looked up. A database serves so many cycles, is then worked
// on to the end without a kill, and is looked through once more.
import { setTimeout as sleep } from "node:timers/promises";
import { type Bundle, bundle } from "./bundle.ts";
import { createTally, type Figures, type Tally } from "./figures.ts";
import type { Ground } from "./ground.ts";
import type { Message } from "./journal.ts";
import { createKnowledge, type Knowledge } from "./knowledge.ts";
import { startWorker, type WorkerProcess } from "./process.ts";
import { failpointOf, type Kill, killOf } from "./schedule.ts";

/** How to run the loop. It ends at the first violation. */
export type KillCycles = {
  readonly seed: number;
  readonly cycles: number;
  /** Gives a database that was not used before. */
  readonly freshGround: () => Promise<Ground>;
  /** A mistake from the seeded faults, for negative controls. */
  readonly fault?: string;
  readonly onProgress?: (figures: Figures) => void;
};

type Prepared = { readonly worker: WorkerProcess<Message>; readonly kill: Kill };

/** How many kills one database serves, and how many rounds of work a worker is given. */
const cyclesOfOne = 25;
const rounds = 3;
/** So many databases at once: one's process works while the other's is looked up. */
const lanes = [0, 1];

/** Kills workers until the cycles are done or something that was promised does not hold. */
export async function killCycles(options: KillCycles): Promise<Figures> {
  const tally = createTally(options.seed);
  const code = await bundle(new URL("./worker.ts", import.meta.url), options.fault);
  await Promise.all(lanes.map((lane) => useLane(options, code, { tally, lane })));
  await code.remove();
  return tally;
}

/** Every other cycle, so that what a lane does follows from the seed alone. */
async function useLane(
  { seed, cycles, freshGround, onProgress }: KillCycles,
  code: Bundle,
  { tally, lane }: { readonly tally: Tally; readonly lane: number },
): Promise<void> {
  const isWrong = (): boolean => tally.violations.length > 0;
  let next = prepare(code, killOf(seed, lane));
  for (let cycle = lane; cycle < cycles && !isWrong();) {
    const ground = await freshGround();
    const knowledge = createKnowledge(seed + cycle, ground, tally);
    for (let used = 0; used < cyclesOfOne && cycle < cycles && !isWrong(); used += 1) {
      const current = next;
      cycle += lanes.length;
      next = prepare(code, killOf(seed, cycle)); // it starts while the one before it works
      await oneLife(current, knowledge);
      tally.cycles += 1;
    }
    if (!isWrong()) await workToTheEnd(code, knowledge);
    await ground.remove();
    onProgress?.(tally);
  }
  await next.worker.kill();
}

function prepare(code: Bundle, kill: Kill): Prepared {
  return { kill, worker: startWorker(code, failpointOf(kill)) };
}

async function oneLife({ worker, kill }: Prepared, knowledge: Knowledge): Promise<void> {
  await worker.printed("ready");
  worker.send(knowledge.orders(rounds));
  await (kill.type === "moment" ? sleep(kill.milliseconds) : worker.printed("idle"));
  await knowledge.learn(await worker.kill(), nameOf(kill));
}

function nameOf(kill: Kill): string {
  if (kill.type === "moment") return "random moment";
  return kill.point === "any" ? "random point" : kill.point;
}

/** P9: whatever the kills left behind is finished by a worker that lives. */
async function workToTheEnd(code: Bundle, knowledge: Knowledge): Promise<void> {
  const worker = startWorker<Message>(code);
  await worker.printed("ready");
  worker.send(knowledge.orders(0));
  await worker.printed("idle");
  await knowledge.conclude(await worker.kill());
}
