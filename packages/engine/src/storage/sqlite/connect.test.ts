import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { refusalOf } from "@holdpoint/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { openEngine } from "../../engine.ts";
import { startChild } from "../../testing/child-process.ts";
import { allRows, numberIn, openRaw } from "../../testing/raw-database.ts";
import { openTestEngine, temporaryFile, temporaryFolder } from "../../testing/temporary-engine.ts";
import { connect } from "./connect.ts";

function settingsOf(database: DatabaseSync): Record<string, unknown> {
  const names = [
    "journal_mode",
    "synchronous",
    "busy_timeout",
    "foreign_keys",
    "trusted_schema",
    "cell_size_check",
    "mmap_size",
  ];
  return Object.fromEntries(
    names.map((name) => [name, Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]]),
  );
}

function connectFor(path: string): DatabaseSync {
  const database = connect(path);
  onTestFinished(() => database.close());
  return database;
}

async function refusalOfOpening(database: string) {
  const refusal = await openEngine({ database }).then(
    () => undefined,
    (error: unknown) => refusalOf(error),
  );
  if (refusal === undefined) throw new Error("expected to be refused with a code");
  return refusal;
}

/** One sentence: one full stop at the end, and a way out behind a semicolon. */
const oneSentence = /^[A-Z][^\n]*; [^\n]*[^.]\.$/;

describe("the connection", () => {
  test("F18: writes ahead with full synchronisation, and waits for others", () => {
    expect(settingsOf(connectFor(temporaryFile()))).toEqual({
      journal_mode: "wal",
      synchronous: 2,
      busy_timeout: 5000,
      foreign_keys: 1,
      trusted_schema: 0,
      cell_size_check: 1,
      mmap_size: 0,
    });
  });

  test("has the same settings in memory, but for the journal", () => {
    expect(settingsOf(connectFor(":memory:"))).toMatchObject({
      synchronous: 2,
      foreign_keys: 1,
      trusted_schema: 0,
    });
  });

  test("leaves the file in WAL, also for whoever opens it next", async () => {
    const path = temporaryFile();
    await openTestEngine(path);
    expect(settingsOf(openRaw(path))["journal_mode"]).toBe("wal");
    expect(existsSync(`${path}-wal`)).toBe(true);
  });

  test("makes the folders on the way to a new file", async () => {
    const path = join(temporaryFolder(), "deeply", "inside", "holdpoint.db");
    await openTestEngine(path);
    expect(readFileSync(path).subarray(0, 15).toString()).toBe("SQLite format 3");
  });
});

describe("a database that cannot keep the promise is refused in one sentence", () => {
  test.each([
    ["mysql://user:secret@host/db", "mysql"],
    ["holdpoint.db", "holdpoint.db"],
    ["", ""],
  ])("an address that is not supported: %j", async (database, scheme) => {
    expect(await refusalOfOpening(database)).toEqual({
      code: "config_invalid",
      message: `The database "${scheme}:…" is not supported; use "file:path/to/file.db", ":memory:" or "postgres://…".`,
      details: {},
    });
  });

  test("a folder instead of a file", async () => {
    const folder = temporaryFolder();
    const { code, message } = await refusalOfOpening(`file:${folder}`);
    expect(code).toBe("database_refused");
    expect(message).toMatch(oneSentence);
    expect(message).toContain(folder);
  });

  test("a path below a file (found by test: it failed with EEXIST and without a code)", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "x");
    const { code, message } = await refusalOfOpening(
      `file:${join(folder, "file", "holdpoint.db")}`,
    );
    expect(code).toBe("database_refused");
    expect(message).toMatch(oneSentence);
  });

  test("a file that is no database (found by test: it failed without a code)", async () => {
    const path = temporaryFile();
    writeFileSync(path, "this is a letter, not a database. ".repeat(100));
    const { code, message } = await refusalOfOpening(`file:${path}`);
    expect(code).toBe("database_refused");
    expect(message).toMatch(oneSentence);
    expect(message).toContain("file is not a database");
    expect(readFileSync(path, "utf8").startsWith("this is a letter")).toBe(true);
  });

  test("no file at all", async () => {
    const { code, message } = await refusalOfOpening("file:");
    expect(code).toBe("database_refused");
    expect(message).toMatch(oneSentence);
  });

  test("a schema that a newer Holdpoint wrote, which is left as it is", async () => {
    const path = temporaryFile();
    await (await openTestEngine(path)).close();
    const raw = openRaw(path);
    const known = numberIn(raw, "PRAGMA user_version");
    raw.exec("PRAGMA user_version = 99");
    const { code, message } = await refusalOfOpening(`file:${path}`);
    expect(code).toBe("database_refused");
    expect(message).toBe(
      `The database was written by a newer Holdpoint (schema 99, this one knows ${known}); use that version or a backup.`,
    );
    expect(numberIn(raw, "PRAGMA user_version")).toBe(99);
  });
});

describe("migrations", () => {
  test("run once: opening again changes nothing", async () => {
    const path = temporaryFile();
    await (await openTestEngine(path)).close();
    const raw = openRaw(path);
    const schema = raw.prepare("SELECT * FROM sqlite_schema").all();
    const rows = allRows(raw);
    await (await openTestEngine(path)).close();
    expect(raw.prepare("SELECT * FROM sqlite_schema").all()).toEqual(schema);
    expect(allRows(raw)).toEqual(rows);
  });

  test("F57: one that fails leaves nothing behind, and can be run again", async () => {
    const path = temporaryFile();
    mkdirSync(join(path, ".."), { recursive: true });
    const raw = openRaw(path);
    raw.exec("CREATE TABLE reviews (mine TEXT)");
    await expect(openEngine({ database: `file:${path}` })).rejects.toThrow("already exists");
    expect(raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([
      { name: "reviews" },
    ]);
    raw.exec("DROP TABLE reviews");
    await openTestEngine(path);
  });
});

test("four processes that open a new file at once all open it (found by test: all but one were told it is locked)", async () => {
  const path = temporaryFile();
  const script = new URL("../../testing/engine-child.ts", import.meta.url);
  const children = Array.from({ length: 4 }, () => startChild(script));
  await Promise.all(children.map((child) => child.next()));
  const open = JSON.stringify({ type: "open", database: `file:${path}` });
  children.forEach((child) => child.send(open));
  expect(await Promise.all(children.map((child) => child.next()))).toEqual(Array(4).fill('"open"'));
});
