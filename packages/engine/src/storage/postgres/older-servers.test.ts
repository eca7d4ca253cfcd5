import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  olderVersions,
  startServer,
  type TestPostgres,
} from "../../../../../test/harness/postgres.ts";
import { openEngine } from "../../engine.ts";
import { aDraft, anna, decideEach } from "../../testing/review-draft.ts";
import { storageChecks } from "../conformance/conformance.ts";
import { openPostgres } from "./postgres.ts";

// The same as on the newest server, which every other test runs on.
describe.each(olderVersions)("PostgreSQL %s", (version) => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startServer(version);
  });

  afterAll(() => server.stop());

  test("is what runs here", async () => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
    await client.end();
    expect(rows[0]?.server_version.split(".")[0]).toBe(version);
  });

  for (const { name, run } of storageChecks) test(name, () => run(() => openPostgres(server.url)));

  test("a call is held, approved and run once, and another engine hears of it", async () => {
    const [engine, beside] = [
      await openEngine({ database: server.url }),
      await openEngine({ database: server.url }),
    ];
    for (const one of [engine, beside]) onTestFinished(() => one.close());
    const heard: string[] = [];
    beside.onDue((threadId) => heard.push(threadId));
    const review = await engine.openReview(aDraft());
    const decisions = decideEach(review, { type: "approve" });
    const decided = await engine.decide({ reviewId: review.id, decisions, reviewer: anna });
    expect(decided.type).toBe("recorded");
    // A hint may be told late or never, so others follow until one is heard.
    while (heard.length === 0) {
      const other = await engine.openReview(aDraft());
      const approved = decideEach(other, { type: "approve" });
      await engine.decide({ reviewId: other.id, decisions: approved, reviewer: anna });
      await sleep(50);
    }
    const [action] = review.actions;
    if (action === undefined) throw new Error("a draft has an action");
    const starts = await Promise.all(
      [engine, beside, engine, beside].map((one) => one.startPermit(action.id, action.digest)),
    );
    expect(starts.filter(({ type }) => type === "done")).toHaveLength(1);
  });
});
