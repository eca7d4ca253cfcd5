// The crash loop: a worker works on one database, is killed, and starts again on the same database;
// after every kill all that was promised is looked up. A database serves so many cycles, is then worked
// on to the end without a kill, and is looked through once more. What happens to a database follows from
// the seed and its number alone, so that a long run may be done in parts.
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bundle, bundle } from "./bundle.ts";
import { createTally, type Figures, sumOf, type Tally } from "./figures.ts";
import type { Ground } from "./ground.ts";
import type { Said } from "./journal.ts";
import { createKnowledge, type Knowledge } from "./knowledge.ts";
import { startWorker, type WorkerProcess } from "./process.ts";
import { failpointOf, type Kill } from "./schedule.ts";
import type { Trial } from "./trial.ts";

/** How to run the loop. It ends at the first violation. */
export type KillCycles = {
  readonly seed: number;
  readonly cycles: number;
  /** Gives a database that was not used before. */
  readonly freshGround: () => Promise<Ground>;
  /** A mistake from the seeded faults, for negative controls. */
  readonly fault?: string;
  /** The databases that were served before, by number. */
  readonly done?: ReadonlySet<number>;
  /** Told what was counted on each database, after its last cycle or at a violation. */
  readonly onDatabase?: (number: number, figures: Figures) => void;
};

type Prepared<Message> = { readonly worker: WorkerProcess<Message>; readonly kill: Kill };
type Named = { readonly type: string };

/** How many kills one database serves. */
export const cyclesOfOne = 25;
/** A worker that has neither died nor come to its end after so many milliseconds never will. */
const longest = 60_000;
const stuck = `a worker neither died nor came to its end in ${longest / 1000} seconds`;
/** So many databases at once: one's process works while another's is looked up. */
const atOnce = Math.max(2, availableParallelism());

/** Kills workers until the cycles are done or something that was promised does not hold. */
export async function killCycles<Entry extends Named, Effect>(
  trial: Trial<Entry, Effect>,
  options: KillCycles,
): Promise<Figures> {
  const { seed, cycles, fault, done, onDatabase } = options;
  const numbers = Array.from({ length: Math.ceil(cycles / cyclesOfOne) }, (_, number) => number);
  const left = numbers.filter((number) => done?.has(number) !== true);
  const code = await bundle(trial.script, fault);
  const tallies: Tally[] = [];
  const isWrong = (): boolean => tallies.some(({ violations }) => violations.length > 0);
  const lane = async (): Promise<void> => {
    for (let number = left.shift(); number !== undefined; number = left.shift()) {
      if (isWrong()) return;
      const tally = createTally(seed);
      tallies.push(tally);
      const isDone = await serveDatabase(trial, options, { code, number, tally, isWrong });
      if (isDone) onDatabase?.(number, tally);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  await code.remove();
  return sumOf(seed, tallies);
}

type Service = {
  readonly code: Bundle;
  readonly number: number;
  readonly tally: Tally;
  readonly isWrong: () => boolean;
};

/** Returns false where it was given up because something was wrong on another database. */
async function serveDatabase<Entry extends Named, Effect>(
  trial: Trial<Entry, Effect>,
  { seed, cycles, freshGround }: KillCycles,
  { code, number, tally, isWrong }: Service,
): Promise<boolean> {
  const first = number * cyclesOfOne;
  const last = Math.min(first + cyclesOfOne, cycles) - 1;
  const prepareFor = (cycle: number): Prepared<Said<Entry>> =>
    prepare(code, cycle <= last ? trial.killOf(seed, cycle) : undefined);
  let next = prepareFor(first); // it starts while the database is made
  const ground = await freshGround();
  const knowledge = createKnowledge(trial, { seed: seed + first, ground, tally });
  for (let cycle = first; cycle <= last && !isWrong(); cycle += 1) {
    const current = next;
    next = prepareFor(cycle + 1); // while this one works
    if (!(await oneLife(current, knowledge, trial.rounds))) tally.violations.push(stuck);
    tally.cycles += 1;
  }
  if (isWrong()) await next.worker.kill();
  else if (!(await workToTheEnd(next.worker, knowledge))) tally.violations.push(stuck);
  await ground.remove();
  return tally.violations.length > 0 || !isWrong();
}

function prepare<Message extends Named>(
  code: Bundle,
  kill: Kill = { type: "moment", milliseconds: 0 },
): Prepared<Message> {
  return { kill, worker: startWorker(code, failpointOf(kill)) };
}

/** False where it had to be killed otherwise. */
async function oneLife<Message>(
  { worker, kill }: Prepared<Message>,
  knowledge: Knowledge<Message>,
  rounds: number,
): Promise<boolean> {
  await worker.printed("ready");
  worker.send(knowledge.orders(rounds));
  if (kill.type === "moment") await sleep(kill.milliseconds);
  const hasEnded = kill.type === "moment" || (await endOf(worker));
  await knowledge.learn(await worker.kill(), nameOf(kill));
  return hasEnded;
}

/** False where it goes on for ever. */
async function endOf<Message>(worker: WorkerProcess<Message>): Promise<boolean> {
  const over = new AbortController();
  const { signal } = over;
  const tooLate = sleep(longest, false, { signal }).catch(() => false);
  const hasEnded = await Promise.race([worker.printed("idle").then(() => true), tooLate]);
  over.abort();
  return hasEnded;
}

function nameOf(kill: Kill): string {
  if (kill.type === "moment") return "random moment";
  return kill.point === "any" ? "random point" : kill.point;
}

/** P9: whatever the kills left behind is finished by a worker that lives. */
async function workToTheEnd<Message>(
  worker: WorkerProcess<Message>,
  knowledge: Knowledge<Message>,
): Promise<boolean> {
  await worker.printed("ready");
  worker.send(knowledge.orders(0));
  const hasEnded = await endOf(worker);
  await knowledge.conclude(await worker.kill());
  return hasEnded;
}
