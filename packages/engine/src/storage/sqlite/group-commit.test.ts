import type { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { numberIn, openRaw } from "../../testing/raw-database.ts";
import { temporaryFile } from "../../testing/temporary-engine.ts";
import { connect } from "./connect.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createWriter, type Writer } from "./writer.ts";

type Commit = ReturnType<typeof createGroupCommit>;
type Create = (writer: Writer) => Commit;

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

/** A table to write to, with every COMMIT counted, and a second connection that sees only what is on disk. */
function setUp(create: Create = createGroupCommit) {
  const path = temporaryFile();
  const second = openRaw(path);
  let commits = 0;
  let connections = 0;
  let setting = "";
  const open = (): DatabaseSync => {
    const database = connect(path);
    database.exec(`CREATE TABLE IF NOT EXISTS letters (name TEXT PRIMARY KEY) STRICT; ${setting}`);
    const exec = database.exec.bind(database);
    database.exec = (sql) => {
      exec(sql);
      if (sql === "COMMIT") commits += 1;
    };
    connections += 1;
    return database;
  };
  const writer = createWriter(open);
  onTestFinished(() => writer.close());
  const commit = create(writer);
  return {
    writer,
    database: writer.ready().database,
    commit,
    commits: () => commits,
    connections: () => connections,
    /** Every connection, the one that is open as well, has this setting from now on. */
    set: (sql: string) => {
      setting = sql;
      writer.ready().database.exec(sql);
    },
    /** Connections that are opened from now on have no such setting. */
    unset: () => void (setting = ""),
    /** Writes a letter; one that is refused throws after it was written. */
    write: (name: string, refused = false) =>
      commit(async (sql) => {
        sql.run("INSERT INTO letters (name) VALUES (?)", name);
        await Promise.resolve();
        if (refused) throw new Error(`refused ${name}`);
        return name;
      }),
    isOnDisk: (name: string) =>
      numberIn(second, "SELECT count(*) FROM letters WHERE name = ?", name) === 1,
    onDisk: () =>
      second
        .prepare("SELECT name FROM letters ORDER BY name")
        .all()
        .map((row) => row["name"]),
    dataVersion: () => numberIn(second, "PRAGMA data_version"),
  };
}

/** Whatever is acknowledged is on disk at that very moment, and a refused write takes only itself back. */
function promiseOf(create: Create) {
  const wanted = fc.array(fc.record({ refused: fc.boolean(), pause: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  });
  return fc.asyncProperty(wanted, async (jobs) => {
    const { write, isOnDisk, onDisk } = setUp(create);
    const seen: Promise<readonly unknown[]>[] = [];
    for (const [index, { refused, pause }] of jobs.entries()) {
      const name = `letter-${index}`;
      seen.push(
        write(name, refused).then(
          () => [name, "acknowledged", isOnDisk(name)],
          (error: Error) => [error.message.replace("refused ", ""), "refused", true],
        ),
      );
      if (pause) await nextTick();
    }
    expect(await Promise.all(seen)).toEqual(
      jobs.map(({ refused }, index) => [
        `letter-${index}`,
        refused ? "refused" : "acknowledged",
        true,
      ]),
    );
    expect(onDisk()).toEqual(
      jobs.flatMap(({ refused }, index) => (refused ? [] : [`letter-${index}`])),
    );
  });
}

/** A seeded fault: like the real one, but one step is another. */
function faulty(step: "acknowledges before COMMIT" | "has no savepoint"): Create {
  return (writer) => {
    const { database, sql } = writer.ready();
    let waiting: (() => Promise<() => void>)[] = [];
    const drain = async (): Promise<void> => {
      const batch = waiting;
      waiting = [];
      database.exec("BEGIN IMMEDIATE");
      const acknowledgements: (() => void)[] = [];
      for (const job of batch) {
        const acknowledge = await job();
        if (step === "acknowledges before COMMIT") acknowledge();
        else acknowledgements.push(acknowledge);
        await Promise.resolve();
      }
      if (database.isTransaction) database.exec("COMMIT");
      for (const acknowledge of acknowledgements) acknowledge();
    };
    return (work) =>
      new Promise((resolve, reject) => {
        waiting.push(async () => {
          if (step !== "has no savepoint") database.exec("SAVEPOINT job");
          try {
            const value = await work(sql);
            return () => resolve(value);
          } catch (error) {
            if (step !== "has no savepoint") database.exec("ROLLBACK TO job");
            return () => reject(error);
          }
        });
        if (waiting.length === 1) setImmediate(() => void drain());
      });
  };
}

describe("group commit", () => {
  test("writes of one tick share one commit, and each is acknowledged after it", async () => {
    const { write, commits, dataVersion } = setUp();
    const before = dataVersion();
    const seen = await Promise.all(
      Array.from({ length: 20 }, (_, index) => write(`letter-${index}`).then(dataVersion)),
    );
    expect(commits()).toBe(1);
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).not.toBe(before);
  });

  test("writes of later ticks get commits of their own, in order", async () => {
    const { write, commits, onDisk } = setUp();
    for (const name of ["a", "b", "c"]) await write(name);
    expect(commits()).toBe(3);
    expect(onDisk()).toEqual(["a", "b", "c"]);
  });

  test("a write that arrives while others are being written is not forgotten", async () => {
    const { commit, write, onDisk } = setUp();
    const inner: Promise<unknown>[] = [];
    await commit(async () => void inner.push(write("inner")));
    await Promise.all(inner);
    expect(onDisk()).toEqual(["inner"]);
  });

  test("F58: whatever is acknowledged is on disk, and a refused write takes only itself back", async () => {
    await fc.assert(promiseOf(createGroupCommit), { numRuns: 30 });
  });

  test.each(["acknowledges before COMMIT", "has no savepoint"] as const)(
    "the property catches a group commit that %s",
    async (step) => {
      await expect(fc.assert(promiseOf(faulty(step)), { numRuns: 30, seed: 1 })).rejects.toThrow(
        "Property failed",
      );
    },
  );

  test("a work that throws before it promises anything is refused like any other", async () => {
    const { commit, write, onDisk } = setUp();
    const results = await Promise.allSettled([
      commit(() => {
        throw new Error("at once");
      }),
      write("fine"),
    ]);
    expect(results.map((result) => result.status)).toEqual(["rejected", "fulfilled"]);
    expect(onDisk()).toEqual(["fine"]);
  });

  test("while another connection holds the lock nothing is acknowledged, and afterwards all works again", async () => {
    const { database, write, onDisk } = setUp();
    database.exec("PRAGMA busy_timeout = 10");
    const other = openRaw(database.location() ?? "");
    other.exec("BEGIN IMMEDIATE");
    const refused = await Promise.allSettled([write("a"), write("b")]);
    expect(refused.map((result) => result.status)).toEqual(["rejected", "rejected"]);
    other.exec("ROLLBACK");
    await write("c");
    expect(onDisk()).toEqual(["c"]);
  });

  test("F17: whichever page finds no room, nothing of its batch is acknowledged, and afterwards all works", async () => {
    const { write, onDisk, set, unset, database, writer } = setUp();
    await write("before");
    const kept = ["before"];
    let refusals = 0;
    for (let room = 0; ; room += 1) {
      set(
        `PRAGMA max_page_count = ${numberIn(writer.ready().database, "PRAGMA page_count") + room}`,
      );
      unset();
      const names = [`${room}-a`, `${room}-b`].map((name) => name.padEnd(20_000, "x"));
      const results = await Promise.allSettled(names.map((name) => write(name)));
      if (results.every(({ status }) => status === "fulfilled")) break;
      refusals += 1;
      const reason = { code: "database_unwell", details: { saved: "no" } };
      expect(results).toMatchObject(Array(2).fill({ status: "rejected", reason }));
      expect(onDisk()).toEqual(kept.toSorted());
      await write(`${room}-later`);
      kept.push(`${room}-later`);
    }
    expect(refusals).toBeGreaterThan(5);
    expect(database.isOpen).toBe(false);
  });

  test("F17: while the file cannot be written nothing is acknowledged, not even a write that changes nothing", async () => {
    const { commit, write, onDisk, set, unset, writer } = setUp();
    await write("before");
    set("PRAGMA query_only = ON");
    const sentence = expect.stringMatching(
      /cannot save anything now \(attempt to write a readonly/,
    );
    for (const work of [() => write("lost"), () => commit(async () => "nothing")]) {
      await expect(work()).rejects.toMatchObject({ code: "database_unwell", message: sentence });
      expect(writer.health()).toEqual({ status: "unwell", why: sentence });
    }
    unset();
    await expect(commit(async () => "nothing")).resolves.toBe("nothing");
    expect(writer.health()).toEqual({ status: "well" });
    await write("later");
    expect(onDisk()).toEqual(["before", "later"]);
  });

  test("F17: a failure of the disk counts, even when the work has caught it and goes on", async () => {
    const { commit, onDisk, set, unset, connections } = setUp();
    set("PRAGMA query_only = ON");
    unset();
    const results = await Promise.allSettled([
      commit(async (sql) => {
        try {
          sql.run("INSERT INTO letters (name) VALUES ('lost')");
        } catch {
          // as if it did not matter
        }
      }),
      commit(async () => "nothing"),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(connections()).toBe(1);
    await commit(async () => undefined);
    expect(connections()).toBe(2);
    expect(onDisk()).toEqual([]);
  });

  test.each(["COMMIT", "RELEASE job"])(
    "a write that says %s and then throws is refused, and later ones work (found by test: they waited for ever)",
    async (statement) => {
      const { commit, write, writer } = setUp();
      const broken = commit(async () => {
        writer.ready().database.exec(statement);
        throw new Error("no savepoint to go back to");
      });
      await expect(broken).rejects.toThrow();
      await expect(write("again")).resolves.toBe("again");
    },
  );

  test("a connection that was lost is opened anew", async () => {
    const { commit, write, writer, onDisk } = setUp();
    await expect(commit(async () => writer.ready().database.close())).rejects.toThrow("not open");
    await write("again");
    expect(onDisk()).toEqual(["again"]);
  });

  test("when SQLite takes the whole transaction back, every write of it is refused (found by test: all later ones hung)", async () => {
    const { database, write, onDisk } = setUp();
    database.exec(`CREATE TRIGGER lost BEFORE INSERT ON letters WHEN new.name = 'bad'
      BEGIN SELECT RAISE(ROLLBACK, 'the disk is gone'); END`);
    const results = await Promise.allSettled([write("good"), write("bad"), write("late")]);
    expect(results).toMatchObject(
      Array(3).fill({ status: "rejected", reason: { message: "the disk is gone" } }),
    );
    expect(onDisk()).toEqual([]);
    await write("again");
    expect(onDisk()).toEqual(["again"]);
  });

  test("a COMMIT that fails refuses all of it and leaves no transaction open", async () => {
    const { database, commit, write, onDisk } = setUp();
    database.exec(
      `CREATE TABLE replies (letter TEXT REFERENCES letters (name) DEFERRABLE INITIALLY DEFERRED) STRICT`,
    );
    const broken = commit(async () => database.exec("INSERT INTO replies VALUES ('nobody')"));
    const results = await Promise.allSettled([write("good"), broken]);
    expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
    expect(database.isTransaction).toBe(false);
    await write("again");
    expect(onDisk()).toEqual(["again"]);
  });
});
