import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../test/harness/postgres.ts";
import { systemClock } from "../../clock.ts";
import { temporaryFile } from "../../testing/temporary-engine.ts";
import { openPostgres } from "../postgres/postgres.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import type { Looking, Storage, StoredWrite, Writing } from "../storage.ts";
import { storageChecks } from "./conformance.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

const databases = [
  ["SQLite in memory", async () => openSqlite(":memory:", systemClock)],
  ["SQLite in a file", async () => openSqlite(temporaryFile(), systemClock)],
  ["Postgres", () => openPostgres(postgres.url)],
] as const;

describe.each(databases)("%s", (_name, open) => {
  for (const { name, run } of storageChecks) test(name, () => run(open));
});

/** A storage in memory of which one thing is otherwise. */
function faulty(
  change: (writing: Writing, storage: Storage) => Partial<Writing>,
): () => Promise<Storage> {
  return async () => {
    const storage = openSqlite(":memory:", systemClock);
    onTestFinished(() => storage.close().catch(() => undefined));
    const bad = <Seen extends Looking>(seen: Seen): Seen => ({
      ...seen,
      ...change(seen as unknown as Writing, storage), // what a reading lacks, no fault calls in it
    });
    return {
      look: (work) => storage.look((reading) => work(bad(reading))),
      read: (work) => storage.read((reading) => work(bad(reading))),
      write: (work) => storage.write((writing) => work(bad(writing))),
      health: storage.health,
      close: storage.close,
    };
  };
}

/** A storage in memory whose transactions are otherwise. */
function faultyWrite(change: (storage: Storage) => Storage["write"]): () => Promise<Storage> {
  return async () => {
    const storage = openSqlite(":memory:", systemClock);
    onTestFinished(() => storage.close().catch(() => undefined));
    return { ...storage, write: change(storage) };
  };
}

const faults: readonly (readonly [string, () => Promise<Storage>, string])[] = [
  [
    "saves a review over any version",
    faulty(({ saveReviews, findReviews }) => ({
      saveReviews: async (saves) => {
        const stored = await findReviews(saves.map(({ review }) => review.id));
        return saveReviews(
          saves.map(({ review, over }) => ({
            review,
            over: stored.get(review.id)?.version ?? over,
          })),
        );
      },
    })),
    "exactly one wins",
  ],
  [
    "saves a permit over any fence",
    faulty(({ savePermits, findPermits }) => ({
      savePermits: async (saves) => {
        const stored = await findPermits(saves.map(({ permit }) => permit.actionId));
        return savePermits(
          saves.map((save) => ({
            ...save,
            over: stored.get(save.permit.actionId)?.permit ?? save.over,
          })),
        );
      },
    })),
    "exactly one gets the permit",
  ],
  [
    "takes a lease that holds for one that is over",
    faulty(({ lapsedPermits }) => ({ lapsedPermits: (_, limit) => lapsedPermits("9999", limit) })),
    "whose lease is over are found",
  ],
  [
    "says that all permits were saved",
    faulty(({ savePermits }) => ({
      savePermits: async (saves) => {
        await savePermits(saves);
        return new Set(saves.map(({ permit }) => permit.actionId));
      },
    })),
    "told which were as they were seen",
  ],
  [
    "forgets in which epoch a permit was issued",
    faulty(({ findPermit }) => ({
      findPermit: async (id) => {
        const found = await findPermit(id);
        return found === undefined ? undefined : { permit: found.permit, reviewId: found.reviewId };
      },
    })),
    "a new epoch outdates",
  ],
  [
    "lets anybody claim a run",
    faulty(({ claimRun, findRun }) => ({
      claimRun: async (run, lease) => claimRun((await findRun(run.id)) ?? run, lease),
    })),
    "exactly one gets the run",
  ],
  [
    "forgets the lease",
    faulty(({ savePermits }) => ({
      savePermits: (saves) => savePermits(saves.map((save) => ({ ...save, lease: undefined }))),
    })),
    "over the fence and the status",
  ],
  [
    "lets a key be used again",
    faulty((writing) => ({
      useApiKey: async (hash) => (await writing.useApiKey(hash)) || hash !== "none",
    })),
    "used by exactly one",
  ],
  [
    "ends a page one too early",
    faulty(({ listReviews }) => ({
      listReviews: async (query) => {
        const page = await listReviews(query);
        return page.next === undefined ? page : { ...page, reviews: page.reviews.slice(0, -1) };
      },
    })),
    "pages of open reviews",
  ],
  [
    "pages by time alone, and so drops what was settled in the same millisecond",
    faulty(({ listReviews }) => ({
      listReviews: async (query) => {
        const page = await listReviews(query);
        const settledAt = page.next?.split("#")[0] ?? "";
        return query.status === "open" || page.next === undefined
          ? page
          : { ...page, next: `${settledAt}#${query.order === "newest" ? "0" : "9".repeat(15)}` };
      },
    })),
    "pages of settled reviews",
  ],
  [
    "settles a delivery whoever has claimed it since",
    faulty(({ settleDelivery, findDelivery }) => ({
      settleDelivery: async (claimed, settled) =>
        settleDelivery((await findDelivery(claimed.id)) ?? claimed, settled),
    })),
    "lease loss: a claimed delivery",
  ],
  [
    "takes a delivery before it is due",
    faulty(({ insertDeliveries, now }) => ({
      insertDeliveries: (rows) => insertDeliveries(rows.map((row) => ({ ...row, dueAt: now }))),
    })),
    "delay: of a topic",
  ],
  [
    "tries a delivery again at once",
    faulty(({ settleDelivery, now }) => ({
      settleDelivery: (claimed, settled) => settleDelivery(claimed, { ...settled, dueAt: now }),
    })),
    "retry: one that failed",
  ],
  [
    "keeps on trying what is stuck",
    faulty(({ settleDelivery }) => ({
      settleDelivery: (claimed, settled) =>
        settleDelivery(claimed, {
          ...settled,
          status: settled.status === "stuck" ? "pending" : settled.status,
        }),
    })),
    "stuck: it is listed",
  ],
  [
    "keeps deliveries that nobody wants",
    faulty(({ subscribeTopic, insertDeliveries }) => ({
      insertDeliveries: async (rows) => {
        for (const { topic } of rows) await subscribeTopic(topic);
        await insertDeliveries(rows);
      },
    })),
    "only where somebody subscribed",
  ],
  [
    "keeps what was withdrawn",
    faulty(() => ({ withdrawDeliveries: async () => undefined })),
    "withdrawn:",
  ],
  [
    "forgets the deadline",
    faulty(({ insertReview }) => ({
      insertReview: ({ deadline: _lost, ...review }) => insertReview(review),
    })),
    "a deadline is found",
  ],
  [
    "finds deadlines of settled reviews",
    faulty(({ saveReviews }) => ({
      saveReviews: (saves) =>
        saveReviews(
          saves.map(({ review, over }) => ({
            review: { ...review, state: { status: "open" } },
            over,
          })),
        ),
    })),
    "a deadline is found",
  ],
  [
    "loses what comes after a U+0000",
    faulty(({ insertReview }) => ({
      insertReview: (review) =>
        insertReview(JSON.parse(JSON.stringify(review).replaceAll("\\u0000", "")) as typeof review),
    })),
    "whatever its texts",
  ],
  [
    "stores the bytes of a part as text",
    faulty(({ saveCheckpoints }) => ({
      saveCheckpoints: (saves) =>
        saveCheckpoints(
          saves.map((save) => ({
            ...save,
            parts: (save.parts ?? []).map((part) => ({
              ...part,
              value: new TextEncoder().encode(new TextDecoder().decode(part.value)),
            })),
          })),
        ),
    })),
    "byte for byte",
  ],
  [
    "keeps a special write as it was first made",
    faulty(({ saveCheckpoints, writesOf }) => ({
      saveCheckpoints: async (saves) => {
        const kept = saves.map(async (save) => {
          const known = new Set((await writesOf(save.key)).map((write) => write.index));
          const isNew = ({ index }: StoredWrite) => index >= 0 || !known.has(index);
          return { ...save, writes: (save.writes ?? []).filter(isNew) };
        });
        return saveCheckpoints(await Promise.all(kept));
      },
    })),
    "a special one is replaced",
  ],
  [
    "goes by the id alone from page to page",
    faulty(({ checkpointsAfter }) => ({
      checkpointsAfter: async (threadId, after, limit) =>
        (await checkpointsAfter(threadId, undefined, 1000))
          .filter(({ id }) => after === undefined || id > after.id)
          .slice(0, limit),
    })),
    "one page after the other",
  ],
  [
    "removes checkpoints by the id alone",
    faulty(({ removeCheckpoints, checkpointsAfter }) => ({
      removeCheckpoints: async (threadId, keys) => {
        const all = await checkpointsAfter(threadId, undefined, 1000);
        await removeCheckpoints(
          threadId,
          all.filter(({ id }) => keys.some((key) => key.id === id)),
        );
      },
    })),
    "goes with its pending writes",
  ],
  [
    "removes every part",
    faulty(({ removePartsBut }) => ({
      removePartsBut: (threadId) => removePartsBut(threadId, []),
    })),
    "only the named ones stay",
  ],
  [
    "does not see what others have begun",
    faulty(() => ({ activeRunsOf: async () => [] })),
    "found the thread idle",
  ],
  [
    "commits what threw",
    faultyWrite((storage) => async (work) => {
      const made = await storage.write(async (writing) => {
        try {
          return { value: await work(writing) };
        } catch (error) {
          return { error };
        }
      });
      if ("error" in made) throw made.error;
      return made.value;
    }),
    "taken back whole",
  ],
  [
    "reads the clock again and again",
    faultyWrite(
      (storage) => (work) =>
        storage.write((writing) =>
          work({
            ...writing,
            get now() {
              return new Date(Date.parse(writing.now) + (tick += 1)).toISOString();
            },
          }),
        ),
    ),
    "the time is one",
  ],
];
let tick = 0;

describe("a storage that", () => {
  test.each(faults)("%s does not pass", async (_name, open, caught) => {
    const failed: string[] = [];
    for (const { name, run } of storageChecks.filter((one) => one.name.includes(caught)))
      await run(open).catch(() => void failed.push(name));
    expect(failed).not.toEqual([]);
  });
});
