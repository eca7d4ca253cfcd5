import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../test/harness/postgres.ts";
import { openEngine } from "../../engine.ts";
import { approvedAction } from "../../testing/review-draft.ts";
import { startProxy } from "../../testing/tcp-proxy.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

/** An engine whose next COMMIT of a permit is lost, or its answer, once it is told so. */
async function openUnlucky() {
  let armed: "now" | "answered" | undefined;
  const changing = new WeakSet<object>();
  const database = await startProxy(postgres.url, (bytes, cut, client) => {
    if (bytes.includes("BEGIN")) changing.delete(client);
    if (bytes.includes("UPDATE holdpoint.permits SET fence")) changing.add(client);
    if (armed !== undefined && changing.has(client) && bytes.includes("COMMIT")) {
      cut(armed);
      armed = undefined;
    }
    return bytes;
  });
  const engine = await openEngine({ database });
  onTestFinished(() => engine.close());
  return { engine, loseNext: (when: "now" | "answered") => void (armed = when) };
}

test("F2: a start whose COMMIT was not answered is the caller's, and its receipt is stored", async () => {
  const { engine, loseNext } = await openUnlucky();
  const { id, digest } = await approvedAction(engine);
  loseNext("answered");
  const started = await engine.startPermit(id, digest);
  expect(started).toMatchObject({ type: "done", permit: { fence: 1 } });
  loseNext("answered");
  const receipt = { status: "succeeded", message: { content: "ran" } } as const;
  expect((await engine.closePermit(id, 1, receipt)).type).toBe("done");
  expect((await engine.awaitPermit(id))?.state.status).toBe("succeeded");
});

test("F2: a start whose COMMIT did not arrive is made again", async () => {
  const { engine, loseNext } = await openUnlucky();
  const { id, digest } = await approvedAction(engine);
  loseNext("now");
  expect(await engine.startPermit(id, digest)).toMatchObject({
    type: "done",
    permit: { fence: 1 },
  });
});

test("F2, F6: of several starts at once of which one is not answered, one is told that it has it", async () => {
  const { engine, loseNext } = await openUnlucky();
  const { id, digest } = await approvedAction(engine);
  loseNext("answered");
  const starts = await Promise.allSettled([1, 2, 3].map(() => engine.startPermit(id, digest)));
  const done = starts.filter(
    ({ status, ...start }) => "value" in start && start.value.type === "done",
  );
  expect(done).toHaveLength(1);
});
