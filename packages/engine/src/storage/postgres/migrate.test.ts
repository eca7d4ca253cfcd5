import { readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../../../../../test/harness/postgres.ts";
import { openEngine } from "../../engine.ts";
import { decideOldReview, oldReviews, oldReviewsRead } from "../../testing/old-reviews.ts";

const folder = new URL("./migrations/", import.meta.url);

test("F33: a review whose actions had rows of their own is read with all that it had, decided, and its call runs", async () => {
  const postgres = await startPostgres();
  onTestFinished(postgres.stop);
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(
    `CREATE SCHEMA holdpoint; CREATE TABLE holdpoint.schema_version (version integer NOT NULL);
     INSERT INTO holdpoint.schema_version VALUES (8)`,
  );
  for (const name of readdirSync(folder).toSorted().slice(0, 8))
    await client.query(readFileSync(new URL(name, folder), "utf8"));
  await client.query(oldReviews("holdpoint."));
  // Text that Postgres cannot hold was kept in another form.
  await client.query(
    "UPDATE holdpoint.reviews SET asked_for = U&'a\\001A0b\\001A1c' WHERE id = 'rev_bare'",
  );
  await client.end();
  const engine = await openEngine({ database: postgres.url });
  onTestFinished(engine.close);
  const [full, bare] = oldReviewsRead;
  expect(await engine.readReview("rev_full")).toEqual(full);
  expect(await engine.readReview("rev_bare")).toEqual({ ...bare, askedFor: "a\u0000b\u001ac" });
  expect(await decideOldReview(engine)).toEqual(["recorded", "done"]);
});
