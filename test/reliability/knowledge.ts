import { existsSync, readFileSync } from "node:fs";
import type { ActionId } from "@holdpoint/core";
import type { Storage } from "@holdpoint/engine";
import type { Tally } from "./figures.ts";
import type { Ground } from "./ground.ts";
import type { Orders, Said } from "./journal.ts";
import type { Death } from "./process.ts";
import type { Trial } from "./trial.ts";

/** What is known of one database from outside: the promises that were printed, and what the tool did. */
export type Knowledge<Message> = {
  readonly orders: (rounds: number) => Orders;
  /** Takes in what a worker printed before its death, and looks up all that is not over. */
  readonly learn: (death: Death<Message>, kill: string) => Promise<void>;
  /** Takes in what the last worker printed, and looks up everything; nothing may be left undone. */
  readonly conclude: (death: Death<Message>) => Promise<void>;
};

/** Starts with nothing; violations go into the tally. */
export function createKnowledge<Entry extends { readonly type: string }, Effect>(
  trial: Trial<Entry, Effect>,
  {
    seed,
    ground,
    tally,
  }: { readonly seed: number; readonly ground: Ground; readonly tally: Tally },
): Knowledge<Said<Entry>> {
  const entries = new Map<number, Entry[]>();
  const diedStarted = new Set<ActionId>();
  const live = new Set<number>();

  function takeIn({ messages, failure }: Death<Said<Entry>>): void {
    if (failure !== undefined) tally.violations.push(failure);
    for (const message of messages) {
      if (!("unit" in message)) continue;
      const known = entries.get(message.unit) ?? [];
      entries.set(message.unit, [...known, message]);
      live.add(message.unit);
      if (message.type === "decided") tally.decisions += 1;
      if (trial.isPromise(message)) tally.promises += 1;
    }
  }

  /** Nobody works on the database now: what is started has no process behind it. */
  async function lookUp(units: readonly number[]): Promise<ReadonlySet<ActionId>> {
    const unknown = new Set<ActionId>();
    const effects = effectsIn<Effect>(ground);
    await ground.quiet();
    await withSnapshot(ground, async (snapshot) => {
      for (const number of units) {
        const found = await trial.verify(snapshot, seed, {
          number,
          entries: entries.get(number) ?? [],
          effects: effects.filter((effect) => trial.unitOf(effect) === number),
          diedStarted,
        });
        tally.violations.push(...found.violations);
        for (const id of found.started) diedStarted.add(id);
        for (const id of found.unknown) unknown.add(id);
        if (found.isOver) live.delete(number);
      }
    });
    tally.violations.push(...(await ground.problems()));
    return unknown;
  }

  return {
    orders: (rounds) => ({
      database: ground.database,
      effects: ground.effects,
      seed,
      again: trial.again(entries, live),
      firstUnit: Math.max(0, ...entries.keys()) + 1,
      rounds,
    }),
    learn: async (death, kill) => {
      const name = death.messages.some(({ type }) => type === "idle") ? "idle" : kill;
      tally.killsAt.set(name, (tally.killsAt.get(name) ?? 0) + 1);
      takeIn(death);
      await lookUp([...live]);
    },
    conclude: async (death) => {
      takeIn(death);
      const unknown = await lookUp([...entries.keys()]);
      if (live.size > 0) tally.violations.push(`units ${[...live].join(", ")} were left undone`);
      for (const id of diedStarted)
        if (!unknown.has(id)) tally.violations.push(`${id} was left started and never settled`);
      tally.unknown += unknown.size;
      tally.effects += effectsIn(ground).length;
    },
  };
}

function effectsIn<Effect>({ effects }: Ground): readonly Effect[] {
  if (!existsSync(effects)) return [];
  const lines = readFileSync(effects, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Effect); // written by our own worker
}

/** Reads the database, all of it at one moment. */
async function withSnapshot(
  ground: Ground,
  work: (snapshot: Storage) => Promise<void>,
): Promise<void> {
  const storage = await ground.open();
  try {
    await storage.read((reading) => {
      const here: Storage["read"] = (look) => look(reading);
      return work({ ...storage, read: here, look: here });
    });
  } finally {
    await storage.close();
  }
}
