import type { Review } from "@holdpoint/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../test/harness/postgres.ts";
import { later } from "../clock.ts";
import { newId } from "../ids.ts";
import type { Writing } from "../storage/storage.ts";
import { temporaryFile } from "../testing/temporary-engine.ts";
import { type Command, histories } from "./commands.ts";
import { type Database, openDatabase, type Sabotage } from "./database.ts";

// Random histories of two processes, with crashes and a clock that is also set, forward and back, on SQLite and on Postgres, beside
// a model that is nothing but the pure rules and plain maps. HOLDPOINT_MODEL_RUNS asks for more of them,
// HOLDPOINT_SEED for others; what fast-check prints of a failure (seed, path and the commands) plays it again.

const runs = Number(process.env["HOLDPOINT_MODEL_RUNS"] ?? 15);
const seed = Number(process.env["HOLDPOINT_SEED"] ?? 1);
const commandsAtMost = 40;

let postgres: TestPostgres;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] }); // leases are renewed when a history says so
  postgres = await startPostgres();
});

afterAll(async () => {
  await postgres.stop();
  vi.useRealTimers();
});

/** Plays histories until one ends otherwise than its model. */
async function play(
  urls: readonly (readonly [name: string, url: string])[],
  sabotage: Sabotage,
  options: fc.Parameters<[Iterable<Command>]>,
): Promise<void> {
  const history = async (commands: Iterable<Command>): Promise<void> => {
    const agent = newId("agent");
    const databases: Database[] = [];
    try {
      for (const [name, url] of urls)
        databases.push(await openDatabase(name, url, agent, sabotage));
      await fc.asyncModelRun(() => ({ model: { drafts: [] }, real: databases }), commands);
    } finally {
      for (const database of databases) await database.stop();
    }
  };
  await fc.assert(fc.asyncProperty(histories(commandsAtMost), history), options);
}

const sound: Sabotage = () => undefined;

test(
  `F11: ${runs} random histories end on both databases as the model says`,
  { timeout: 60_000 + runs * 10_000 },
  async () => {
    const urls = [
      ["SQLite", `file:${temporaryFile()}`],
      ["Postgres", postgres.url],
    ] as const;
    await play(urls, sound, { numRuns: runs, seed });
  },
);

/** An engine whose transactions do one thing differently. */
function faulty(change: (writing: Writing) => Partial<Writing>): Sabotage {
  return ({ storage }) => {
    const { write } = storage;
    Object.assign(storage, {
      write: <Result>(work: (writing: Writing) => Promise<Result>) =>
        write((writing) => work({ ...writing, ...change(writing) })),
    });
  };
}

/** The review as it was before anybody decided. */
function undecided(review: Review): Review {
  const actions = review.actions.map((action) => ({
    ...action,
    state: { status: "open" as const },
  }));
  return { ...review, actions, state: { status: "open" } };
}

const faults: readonly (readonly [string, Sabotage])[] = [
  [
    "lets a used permit be started again",
    faulty(({ findPermit }) => ({
      findPermit: async (id) => {
        const found = await findPermit(id);
        if (found?.permit.state.status !== "succeeded") return found;
        return {
          ...found,
          permit: { ...found.permit, state: { status: "suspended", startedAt: "" } },
        };
      },
    })),
  ],
  [
    "forgets which event came before",
    faulty(() => ({ lastAuditsOf: () => Promise.resolve(new Map()) })),
  ],
  ["goes by a clock of its own", faulty(({ now }) => ({ now: later(now, 1) }))],
  ["forgets to continue the thread", faulty(() => ({ insertRuns: () => Promise.resolve() }))],
  [
    "issues no permit for the second of two actions",
    faulty(({ insertPermits }) => ({
      insertPermits: (permits) => insertPermits(permits.slice(0, 1)),
    })),
  ],
  [
    "forgets the leases of a process that is alive",
    faulty(({ savePermit }) => ({
      savePermit: (permit, expected) => savePermit(permit, expected, undefined),
    })),
  ],
  [
    "decides over what another process has just decided",
    faulty(({ findReviews }) => ({
      findReviews: async (ids) => {
        const found = await findReviews(ids);
        return new Map([...found].map(([id, review]) => [id, undecided(review)]));
      },
    })),
  ],
];

describe("the model catches an engine that", () => {
  test.each(faults)("%s", { timeout: 120_000 }, async (_name, sabotage) => {
    const urls = [["SQLite", `file:${temporaryFile()}`]] as const;
    const options = { numRuns: 200, seed: 1, endOnFailure: true };
    await expect(play(urls, sabotage, options)).rejects.toThrow(/Property failed/);
  });
});
