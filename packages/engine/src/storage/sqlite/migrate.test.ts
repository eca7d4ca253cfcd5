import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
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

test("a review of the first schema is read after the migration, without a provenance", async () => {
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
