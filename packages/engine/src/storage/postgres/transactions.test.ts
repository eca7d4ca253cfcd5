import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../test/harness/postgres.ts";
import type { Pass } from "../../testing/proxy.ts";
import { likePooler, startProxy } from "../../testing/tcp-proxy.ts";
import { storageChecks } from "../conformance/conformance.ts";
import { aReview, closed, insertRun, insertThread } from "../conformance/samples.ts";
import type { Storage } from "../storage.ts";
import { openPostgres } from "./postgres.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

async function open(url = postgres.url): Promise<Storage> {
  const storage = await openPostgres(url);
  onTestFinished(() => storage.close());
  return storage;
}

/** A storage whose bytes to the server a proxy sees. */
async function openThrough(pass: Pass): Promise<Storage> {
  return open(await startProxy(postgres.url, pass));
}

async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Ends every connection but the asking one, as a server that restarts does. */
const cutAll = () =>
  query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );

async function waitingForTurns(): Promise<unknown> {
  const [row] = await query(
    `SELECT count(*)::int AS waiting FROM pg_locks
     WHERE relation = 'holdpoint.turns'::regclass AND NOT granted`,
  );
  return row?.["waiting"];
}

describe("a connection that is lost", () => {
  test("F15: before COMMIT is made anew, and the change is done once", async () => {
    const storage = await open();
    const review = aReview();
    let times = 0;
    await storage.write(async (writing) => {
      await writing.insertReview(review);
      times += 1;
      if (times === 1) await cutAll();
      await writing.insertReview(aReview());
    });
    expect(times).toBe(2);
    expect(await storage.read((reading) => reading.findReview(review.id))).toEqual(review);
  });

  test("while nothing is done is not noticed", async () => {
    const storage = await open();
    await storage.write(insertThread);
    await cutAll();
    await storage.read(async (reading) => expect(reading.now).toMatch(/Z$/));
    await cutAll();
    await storage.write(insertThread);
  });

  test.each(["now", "answered"] as const)(
    "F2: during COMMIT (cut %s) is reported as unknown, and the change is not done again",
    async (when) => {
      let armed = false;
      const storage = await openThrough((bytes, cut) => {
        if (armed && bytes.includes("COMMIT")) cut(when);
        return bytes;
      });
      const beside = await open();
      const review = aReview();
      await storage.write((writing) => writing.insertReview(review));
      armed = true;
      let times = 0;
      const write = storage.write(async (writing) => {
        times += 1;
        return writing.saveReviews([{ review: closed(review, "x"), over: 1 }]);
      });
      await expect(write).rejects.toMatchObject({
        code: "database_unwell",
        message: expect.stringMatching(/may or may not have been saved/),
      });
      expect(times).toBe(1);
      const found = await beside.read((reading) => reading.findReview(review.id));
      expect(found).toEqual(when === "now" ? review : closed(review, "x"));
    },
  );

  test(
    "for good ends a change with one sentence, nothing is saved, and the storage is unwell until it is back",
    { timeout: 60_000 },
    async () => {
      let gone = false;
      const storage = await openThrough((bytes, cut) => {
        if (gone) cut("now");
        return bytes;
      });
      gone = true;
      await expect(storage.write(insertThread)).rejects.toMatchObject({
        code: "database_unwell",
        message: expect.stringMatching(/cannot be reached\), so nothing was changed/),
      });
      expect(await storage.health()).toEqual({
        status: "unwell",
        why: "The database cannot save anything now (it cannot be reached); it goes on by itself once it can.",
      });
      gone = false;
      const isWell = async () => expect(await storage.health()).toEqual({ status: "well" });
      await vi.waitFor(isWell, 10_000);
    },
  );
});

describe("rivals", () => {
  test("that wait for each other in a circle both succeed", async () => {
    const storage = await open();
    const [one, two] = [aReview(), aReview()];
    for (const review of [one, two]) await storage.write((w) => w.insertReview(review));
    let arrived = 0;
    let both = (): void => undefined;
    const met = new Promise<void>((resolve) => (both = resolve));
    const change = (first: typeof one, second: typeof one) =>
      storage.write(async (writing) => {
        const seen = await Promise.all([first, second].map((r) => writing.findReview(r.id)));
        const [a, b] = seen;
        if (a === undefined || b === undefined) throw new Error("they were opened");
        await writing.saveReviews([{ review: { ...a, version: a.version + 1 }, over: a.version }]);
        arrived += 1;
        if (arrived === 2) both();
        if (arrived <= 2) await met;
        await writing.saveReviews([{ review: { ...b, version: b.version + 1 }, over: b.version }]);
      });
    await Promise.all([change(one, two), change(two, one)]);
    for (const { id } of [one, two])
      expect(await storage.read((reading) => reading.findReview(id))).toMatchObject({ version: 3 });
  });

  test("that never stop are outlived: whoever lost too often takes its turn alone", async () => {
    const storage = await open();
    const review = aReview();
    await storage.write((writing) => writing.insertReview(review));
    let attempts = 0;
    const raise = async (between: () => Promise<unknown>) =>
      storage.write(async (writing) => {
        const seen = await writing.findReview(review.id);
        if (seen === undefined) throw new Error("it was opened");
        await between();
        return writing.saveReviews([
          { review: { ...seen, version: seen.version + 1 }, over: seen.version },
        ]);
      });
    let last: Promise<unknown> = Promise.resolve();
    const unlucky = raise(async () => {
      attempts += 1;
      if (attempts <= 4) return raise(async () => undefined);
      last = raise(async () => undefined);
      const isWaiting = vi.waitFor(async () => expect(await waitingForTurns()).toBe(1), 10_000);
      return Promise.race([last, isWaiting]);
    });
    expect(await unlucky).toBe(true);
    expect(attempts).toBe(5);
    expect(await last).toBe(true);
    const found = await storage.read((reading) => reading.findReview(review.id));
    expect(found).toMatchObject({ version: 7 });
  });

  test("that have just made the same row are seen the second time", async () => {
    const storage = await open();
    const review = aReview();
    let times = 0;
    let insert = (): void => undefined;
    const inserted = new Promise<void>((resolve) => (insert = resolve));
    const mine = storage.write(async (writing) => {
      times += 1;
      if ((await writing.findReview(review.id)) !== undefined) return "found";
      await inserted;
      await writing.insertReview(review);
      return "made";
    });
    await vi.waitFor(() => expect(times).toBe(1));
    await storage.write((writing) => writing.insertReview(review)); // without looking first
    insert();
    expect(await mine).toBe("found");
    expect(times).toBe(2);
  });

  test("are told apart from a row that is there: its error comes through", async () => {
    const storage = await open();
    const review = aReview();
    await storage.write((writing) => writing.insertReview(review));
    let times = 0;
    const again = storage.write(async (writing) => {
      times += 1;
      await writing.insertReview(review);
    });
    await expect(again).rejects.toMatchObject({ code: "23505" });
    expect(times).toBe(2);
  });

  test("would both win without serializable transactions, and the conformance suite catches it", async () => {
    // As long as what it replaces, because the message says how long it is.
    const weaken: Pass = (bytes) =>
      Buffer.from(
        bytes
          .toString("latin1")
          .replaceAll("ISOLATION LEVEL SERIALIZABLE", "READ WRITE".padEnd(28)),
        "latin1",
      );
    const url = await startProxy(postgres.url, weaken);
    const check = storageChecks.find(({ name }) => name.includes("found the thread idle"));
    const races = async (): Promise<void> => {
      for (let race = 0; race < 20; race += 1) await check?.run(() => openPostgres(url));
    };
    await expect(races()).rejects.toThrow(); // on a busy machine rivals may happen to come in turn
    await expect(check?.run(() => openPostgres(postgres.url))).resolves.toBeUndefined();
  });
});

/** All that is sent to the server for a write and a read, behind what looks like a pooler or not. */
async function sentFor(passBack?: typeof likePooler): Promise<string> {
  const sent: string[] = [];
  const keep: Pass = (bytes) => {
    sent.push(bytes.toString("latin1"));
    return bytes;
  };
  const storage = await open(await startProxy(postgres.url, keep, passBack));
  const review = aReview();
  await storage.write(async (writing) => {
    await writing.insertReview(review);
    const thread = await insertThread(writing);
    await insertRun(writing, thread);
  });
  await storage.read((reading) => reading.findReview(review.id));
  return sent.join("");
}

/** A Parse message has its statement's name first. */
const named = /P\0[^]{3}holdpoint_\d+\0(?=SELECT|INSERT|UPDATE)/;
const unnamed = /P\0[^]{3}\0(?=SELECT|INSERT|UPDATE)/;

test("F55: nothing is left on a connection that the next user of a pooler would miss or meet", async () => {
  const all = await sentFor(likePooler);
  expect(all).toContain("COMMIT");
  expect(all).toMatch(unnamed);
  expect(all).not.toMatch(named);
  expect(all.match(/\bSET (?!LOCAL|version|search)/g)).toBeNull();
  expect(all).not.toMatch(/LISTEN|PREPARE|pg_advisory_lock|CREATE TEMP/);
});

test("statements have names, and are planned once, on a connection that no pooler gives to others", async () => {
  expect(await sentFor()).toMatch(named);
});

test("a statement that was prepared before its table changed is prepared anew", async () => {
  const storage = await open();
  const thread = await storage.write(insertThread);
  const find = () => storage.read((reading) => reading.findThread(thread.id));
  await find();
  await query("ALTER TABLE holdpoint.threads ADD COLUMN later text");
  onTestFinished(async () => void (await query("ALTER TABLE holdpoint.threads DROP COLUMN later")));
  expect(await find()).toMatchObject({ id: thread.id });
  expect(await storage.write((writing) => writing.findThread(thread.id))).toMatchObject({
    id: thread.id,
  });
});

test("F55: names are given up for good where a pooler that is not noticed loses them", async () => {
  let isLost = false;
  let names = 0;
  const url = await startProxy(postgres.url, (bytes) => {
    const text = bytes.toString("latin1");
    if (text.includes("holdpoint_")) names += 1;
    if (isLost && text.startsWith("B") && text.includes("\0holdpoint_")) {
      isLost = false;
      return Buffer.from(text.replace("\0holdpoint_", "\0elsewhere"), "latin1");
    }
    return bytes;
  });
  const storage = await open(url);
  const thread = await storage.write(insertThread);
  const find = () => storage.read((reading) => reading.findThread(thread.id));
  await find();
  isLost = true;
  expect(await find()).toMatchObject({ id: thread.id });
  expect(isLost).toBe(false);
  names = 0;
  await find();
  expect(names).toBe(0);
});

/** A storage whose limit of so many seconds is half a second, in as many letters. */
const openImpatient = (seconds: string) =>
  openThrough((bytes) =>
    Buffer.from(bytes.toString("latin1").replaceAll(`'${seconds}s'`, "'.5s'"), "latin1"),
  );

const readNothing = async (): Promise<void> => undefined;

describe("F54: a wait is bounded", () => {
  test("for a lock that somebody holds: the change is refused in one sentence, and done once it is free", async () => {
    const storage = await openImpatient("10");
    const holder = new Client({ connectionString: postgres.url });
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE holdpoint.turns IN ACCESS EXCLUSIVE MODE");
    const waiting = storage.write(insertThread);
    await expect(waiting).rejects.toMatchObject({
      code: "database_unwell",
      details: { saved: "no" },
      message: expect.stringContaining("somebody holds a lock in it that does not end"),
    });
    await holder.query("ROLLBACK");
    await holder.end();
    await storage.write(insertThread);
  });

  test("for a lock that is let go in time: the change is done", async () => {
    const storage = await open();
    const holder = new Client({ connectionString: postgres.url });
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE holdpoint.turns IN ACCESS EXCLUSIVE MODE");
    const waiting = storage.write(insertThread);
    await vi.waitFor(async () => expect(await waitingForTurns()).toBe(1), 5_000);
    await holder.query("ROLLBACK");
    await holder.end();
    expect(await waiting).toBeDefined();
  });

  test("for a change that is left lying: the server ends it, and it is done again", async () => {
    const storage = await openImpatient("60");
    let times = 0;
    await storage.write(async (writing) => {
      times += 1;
      if (times === 1) await new Promise((resolve) => setTimeout(resolve, 1_500));
      await insertThread(writing);
    });
    expect(times).toBe(2);
  });

  test.each(["read", "write"] as const)(
    "for a server that has gone silent during a %s, and did not say that it goes",
    async (kind) => {
      let isSilent = false;
      const storage = await openThrough((bytes) => (isSilent ? Buffer.alloc(0) : bytes));
      await storage.write(insertThread);
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      isSilent = true;
      const work = kind === "write" ? storage.write(insertThread) : storage.read(readNothing);
      const refused = expect(work).rejects.toMatchObject({
        code: "database_unwell",
        details: { saved: "no" },
        message: expect.stringContaining("it does not answer") as string,
      });
      await new Promise((resolve) => setImmediate(resolve)); // it has asked
      await vi.advanceTimersByTimeAsync(35_000);
      await refused;
      isSilent = false;
      await storage.write(insertThread);
    },
  );

  test("for a statement that does not end", async () => {
    const storage = await openImpatient("30");
    const slow = `CREATE FUNCTION holdpoint.slow() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(20); RETURN NEW; END'`;
    await query(
      `${slow}; CREATE TRIGGER slow BEFORE INSERT ON holdpoint.threads EXECUTE FUNCTION holdpoint.slow()`,
    );
    onTestFinished(async () => void (await query("DROP FUNCTION holdpoint.slow() CASCADE")));
    await expect(storage.write(insertThread)).rejects.toMatchObject({ code: "57014" });
  });
});

test("F16: every change waits for its place on disk, although the database is set not to", async () => {
  const [row] = await query("SELECT current_database() AS name");
  const setting = `ALTER DATABASE "${String(row?.["name"])}" SET synchronous_commit`;
  await query(`${setting} = off`);
  onTestFinished(async () => void (await query(`${setting} = on`)));
  await query(
    `CREATE TABLE holdpoint.seen (setting text);
     CREATE FUNCTION holdpoint.see() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN INSERT INTO holdpoint.seen VALUES (current_setting(''synchronous_commit'')); RETURN NEW; END';
     CREATE TRIGGER see BEFORE INSERT ON holdpoint.threads EXECUTE FUNCTION holdpoint.see()`,
  );
  onTestFinished(
    async () =>
      void (await query("DROP FUNCTION holdpoint.see() CASCADE; DROP TABLE holdpoint.seen")),
  );
  const storage = await open();
  await storage.write(insertThread);
  expect(await query("SELECT setting FROM holdpoint.seen")).toEqual([{ setting: "on" }]);
  expect(await query("SHOW synchronous_commit")).toEqual([{ synchronous_commit: "off" }]);
});
