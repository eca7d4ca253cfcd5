import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { type CopiedPostgres, startWithCopy } from "../../../../../test/harness/postgres.ts";
import { type Engine, openEngine } from "../../engine.ts";
import { aDraft, anna, approvedAction, decideEach } from "../../testing/review-draft.ts";
import { temporaryFolder } from "../../testing/temporary-engine.ts";

/** Each starts two servers. */
const timeout = 120_000;

async function run(url: string, ...statements: readonly string[]) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const sql of statements) ({ rows } = await client.query<Record<string, unknown>>(sql));
    return rows;
  } finally {
    await client.end();
  }
}

function until(isSo: () => Promise<unknown>): Promise<void> {
  return vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout: 20_000, interval: 20 });
}

const isTrue = async (url: string, condition: string): Promise<unknown> =>
  (await run(url, `SELECT (${condition}) AS is_so`))[0]?.["is_so"];

/** Two servers; the first waits for the second where `names` says so. */
async function startPair(names: "copy" | "nobody" | ""): Promise<CopiedPostgres> {
  const pair = await startWithCopy();
  onTestFinished(pair.stop);
  const follows = "EXISTS (SELECT 1 FROM pg_stat_replication WHERE state = 'streaming')";
  await until(() => isTrue(pair.url, follows));
  await run(
    pair.url,
    // What whoever owns the database may have set: then a commit does not wait for the copy.
    "ALTER DATABASE postgres SET synchronous_commit = local",
    `ALTER SYSTEM SET synchronous_standby_names = '${names}'`,
    "SELECT pg_reload_conf()",
  );
  if (names === "copy")
    await until(() =>
      isTrue(pair.url, "EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync')"),
    );
  return pair;
}

/** From here on the copy hears nothing, as behind a network that is cut. */
async function detach({ url, copyUrl }: CopiedPostgres): Promise<void> {
  await run(copyUrl, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
  await until(() => isTrue(url, "NOT EXISTS (SELECT 1 FROM pg_stat_replication)"));
}

async function attach({ copyUrl }: CopiedPostgres): Promise<void> {
  await run(copyUrl, "ALTER SYSTEM RESET primary_conninfo", "SELECT pg_reload_conf()");
}

async function promote({ copyUrl, end }: CopiedPostgres): Promise<string> {
  await end();
  await run(copyUrl, "SELECT pg_promote()", "ALTER SYSTEM RESET synchronous_standby_names");
  return copyUrl;
}

/** Resolves when a COMMIT that was sent after this time waits for the copy. */
function untilWaiting({ url }: CopiedPostgres, since = "-infinity"): Promise<void> {
  const waits = `wait_event = 'SyncRep' AND query_start > '${since}'`;
  return until(() => isTrue(url, `EXISTS (SELECT 1 FROM pg_stat_activity WHERE ${waits})`));
}

/** An administrator ends what waits for the copy, which the server calls a success; returns the time before. */
async function endWaits({ url }: CopiedPostgres): Promise<string> {
  const [row] = await run(url, "SELECT clock_timestamp()::text AS now");
  await run(
    url,
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
  );
  return String(row?.["now"]);
}

async function opened(database: string, startsFile?: string): Promise<Engine> {
  const engine = await openEngine({
    database,
    ...(startsFile === undefined ? {} : { startsFile }),
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= engine.close());
  onTestFinished(close);
  return { ...engine, close };
}

/** Whether a promise has been answered by now. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol("pending");
  return (await Promise.race([promise, Promise.resolve(pending)])) === pending;
}

const unconfirmed = {
  code: "database_unwell",
  message: expect.stringContaining("its COMMIT was not confirmed") as string,
  details: { saved: "unknown" },
};

test(
  "F16: nothing is acknowledged that a synchronous copy does not have, and all of it is there when that is promoted",
  { timeout },
  async () => {
    const pair = await startPair("copy");
    const engine = await opened(pair.url);
    const before = await approvedAction(engine);
    const review = await engine.openReview(aDraft());
    const decisions = decideEach(review, { type: "approve" });
    const decide = () => engine.decide({ reviewId: review.id, decisions, reviewer: anna });
    await detach(pair);

    // Negative control: what goes by the database's own setting is acknowledged at once, by one server alone.
    await run(pair.url, "CREATE TABLE acknowledged_at_once ()");

    const first = decide();
    await untilWaiting(pair);
    expect(await isPending(first)).toBe(true);
    await endWaits(pair);
    await expect(first).rejects.toMatchObject(unconfirmed);
    expect(await engine.health()).toMatchObject({ status: "unwell" });

    // No tool runs on a start that the copy does not have.
    const starting = engine.startPermit(before.id, before.digest);
    await untilWaiting(pair);
    await untilWaiting(pair, await endWaits(pair));
    expect(await isPending(starting)).toBe(true);

    // Sent again the decision changes nothing any more, and still has to wait.
    const [row] = await run(pair.url, "SELECT clock_timestamp()::text AS now");
    const second = decide();
    await untilWaiting(pair, String(row?.["now"]));
    expect(await isPending(second)).toBe(true);

    await attach(pair);
    expect(await second).toMatchObject({ type: "recorded", repeated: true });
    expect((await starting).type).toBe("done");
    expect(await engine.health()).toEqual({ status: "well" });

    const promoted = await opened(await promote(pair));
    expect((await promoted.readReview(review.id))?.state.status).toBe("decided");
    expect((await promoted.startPermit(before.id, before.digest)).type).toBe("refused");
  },
);

test(
  "F16, F54: a COMMIT that no synchronous copy confirms is given up after half a minute, as unknown",
  { timeout },
  async () => {
    const pair = await startPair("");
    const engine = await opened(pair.url);
    await run(
      pair.url,
      "ALTER SYSTEM SET synchronous_standby_names = 'nobody'",
      "SELECT pg_reload_conf()",
    );
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const waits = "EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep')";
    const opening = engine.openReview(aDraft());
    const refused = expect(opening).rejects.toMatchObject(unconfirmed);
    for (let look = 0; (await isTrue(pair.url, waits)) !== true; look += 1)
      if (look === 1_000) throw new Error("it does not wait");
    await vi.advanceTimersByTimeAsync(29_000);
    expect(await isTrue(pair.url, waits)).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
  },
);

test(
  "F16: an asynchronous copy that was promoted without the last commits is refused where starts are noted beside the database",
  { timeout },
  async () => {
    const pair = await startPair("");
    const startsFile = join(temporaryFolder(), "starts.jsonl");
    const engine = await opened(pair.url, startsFile);
    const call = await approvedAction(engine);
    const position = "SELECT pg_current_wal_lsn() AS position";
    const [now] = await run(pair.url, position);
    await until(() =>
      isTrue(pair.copyUrl, `pg_last_wal_replay_lsn() >= '${String(now?.["position"])}'`),
    );
    await detach(pair);
    expect((await engine.startPermit(call.id, call.digest)).type).toBe("done"); // and its tool runs
    const database = await promote(pair);
    await expect(openEngine({ database, startsFile })).rejects.toMatchObject({
      code: "database_refused",
      message: expect.stringContaining("tools ran since that it does not know of") as string,
    });
    // Seeded fault: nobody looks at what was noted, and the tool starts a second time.
    const unaware = await opened(database);
    expect((await unaware.startPermit(call.id, call.digest)).type).toBe("done");
  },
);
