import { readdirSync, readFileSync } from "node:fs";
import { digestJson } from "@holdpoint/core";
import { expect, test } from "vitest";
import { firstBrokenEvent, streamStart } from "../../audit/chain.ts";
import { decideOldReview, oldReviews, oldReviewsRead } from "../../testing/old-reviews.ts";
import { allRows, openRaw } from "../../testing/raw-database.ts";
import { aDraft } from "../../testing/review-draft.ts";
import { openTestEngine, temporaryFile } from "../../testing/temporary-engine.ts";

const first = readFileSync(new URL("./migrations/0001-first.sql", import.meta.url), "utf8");

/** A database as the first schema left it, with one open review. */
function oldDatabase(): string {
  const path = temporaryFile();
  const database = openRaw(path);
  database.exec(first);
  database.exec(`PRAGMA user_version = 1;
    INSERT INTO reviews (id, version, thread_id, agent, turn_id, interrupt_id, raised, cause, status, created_at)
    VALUES ('rev_old', 1, 't', 'lead', 'm', 'i', '{"taskId":"k","round":0,"votes":0}', 'policy', 'open', '2026-11-30T12:00:00.000Z')`);
  database.close();
  return path;
}

test("F33: a review of the first schema is read after the migration, without a provenance", async () => {
  const engine = await openTestEngine(oldDatabase());
  const review = await engine.readReview("rev_old");
  expect(review).toMatchObject({ id: "rev_old", agent: "lead", state: { status: "open" } });
  expect(review).not.toHaveProperty("agentPath");
  expect(review).not.toHaveProperty("parentCall");
});

test("which agent asked is stored with the review and in its audit", async () => {
  const path = temporaryFile();
  const provenance = {
    agentPath: ["lead", "writer"],
    parentCall: { toolCallId: "call_0", name: "task" },
  };
  const engine = await openTestEngine(path);
  const { id } = await engine.openReview(aDraft(1, provenance));
  await engine.close();
  const again = await openTestEngine(path);
  expect(await again.readReview(id)).toMatchObject(provenance);
  expect(JSON.stringify(allRows(openRaw(path))["audit_events"])).toContain("writer");
});

/** The files of the schema up to a number, in order. */
function schemaUpTo(number: number): string {
  const folder = new URL("./migrations/", import.meta.url);
  const files = readdirSync(folder).toSorted().slice(0, number);
  return files.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
}

test("F33: a review whose actions had rows of their own is read with all that it had, decided, and its call runs", async () => {
  const path = temporaryFile();
  const database = openRaw(path);
  database.exec(schemaUpTo(10));
  database.exec(`PRAGMA user_version = 10; ${oldReviews("")}`);
  database.close();
  const engine = await openTestEngine(path);
  for (const review of oldReviewsRead) expect(await engine.readReview(review.id)).toEqual(review);
  expect(await decideOldReview(engine)).toEqual(["recorded", "done"]);
});

/** A database as the third schema left it, with the events of two reviews. */
function oldAudit(): string {
  const path = temporaryFile();
  const database = openRaw(path);
  for (const name of ["0001-first", "0002-provenance", "0003-answered-cards"])
    database.exec(readFileSync(new URL(`./migrations/${name}.sql`, import.meta.url), "utf8"));
  database.exec("PRAGMA user_version = 3");
  const insert = database.prepare("INSERT INTO audit_events VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const stream of ["rev_a", "rev_b"]) {
    let previous = streamStart as string;
    for (const seq of [1, 2, 3]) {
      // Not in canonical order, as bodies were written then.
      const body = { tool: "send_email", seq };
      const at = `2026-11-30T12:0${seq}:00.000Z`;
      const event = { stream, seq, type: "t", at, body, previous };
      const hash = digestJson(event);
      insert.run(stream, seq, "t", at, JSON.stringify(body), previous, hash);
      previous = hash;
    }
  }
  database.close();
  return path;
}

test("events of an older schema keep every value, get positions by time, and stay append-only", async () => {
  const path = oldAudit();
  const before = openRaw(path).prepare("SELECT * FROM audit_events").all();
  const engine = await openTestEngine(path);
  const { id } = await engine.openReview(aDraft());
  const raw = openRaw(path);
  const after = raw.prepare("SELECT * FROM audit_events WHERE stream <> ?").all(id);
  expect(
    after.map(({ position: _position, salt, ...event }) => (salt === null ? event : salt)),
  ).toEqual(before);
  const places = raw.prepare("SELECT stream, seq FROM audit_events ORDER BY position").all();
  expect(places.map(({ stream, seq }) => [stream, seq])).toEqual([
    ...[1, 2, 3].flatMap((seq) => [
      ["rev_a", seq],
      ["rev_b", seq],
    ]),
    [id, 1],
  ]);
  for (const stream of ["rev_a", "rev_b"]) {
    const events = await engine.storage.read((reading) => reading.auditOf(stream));
    expect(firstBrokenEvent(events)).toBeUndefined();
  }
  expect(await engine.storage.read((reading) => reading.auditHead())).toMatchObject({
    position: 7,
  });
  expect(() => raw.exec("UPDATE audit_events SET type = 'x'")).toThrow("append-only");
  expect(() => raw.exec("DELETE FROM audit_events")).toThrow("append-only");
});
