import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { later, systemClock } from "../clock.ts";
import type { Engine } from "../engine.ts";
import { newId } from "../ids.ts";
import type { Run } from "../storage/storage.ts";
import { type Child, startChild } from "../testing/child-process.ts";
import type { EngineCommand } from "../testing/engine-child.ts";
import { databaseAt, openTestEngine, temporaryFolder } from "../testing/temporary-engine.ts";

/** How long the child has for one delivery; a lease is twice as long. */
const patience = 150;

async function startEngineChild(path: string): Promise<{ child: Child; ask: Ask }> {
  const child = startChild(new URL("../testing/engine-child.ts", import.meta.url));
  await child.next();
  const ask: Ask = async (command) => {
    child.send(JSON.stringify(command));
    return JSON.parse(await child.next());
  };
  await ask({ type: "open", database: await databaseAt(path), patience });
  return { child, ask };
}

type Ask = (command: EngineCommand) => Promise<unknown>;

async function insertDelivery(engine: Engine, topic: string) {
  const id = newId("dlv");
  await engine.storage.write(async (writing) => {
    await writing.subscribeTopic(topic);
    await writing.insertDeliveries([{ id, topic, key: "k", body: "{}", dueAt: writing.now }]);
  });
  return id;
}

test("F9: a process stopped for longer than its lease and woken delivers nothing that another has taken over", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "holdpoint.db");
  const goOn = join(folder, "go-on");
  const engine = await openTestEngine(path);
  const id = await insertDelivery(engine, "topic");
  const { child, ask } = await startEngineChild(path);
  expect(await ask({ type: "deliver", topic: "topic", goOn })).toEqual({ told: 1 });
  child.stop();
  await sleep(2 * patience + 50);
  const release = Promise.withResolvers<void>();
  const taken = new Promise<number>((resolve) => {
    void engine.deliveries.deliver("topic", ({ fence }) => {
      resolve(fence);
      return release.promise;
    });
  });
  expect(await taken).toBe(2);
  const find = () => engine.storage.read((reading) => reading.findDelivery(id));
  const before = await find();
  expect(before).toMatchObject({ status: "pending", attempts: 2 });
  writeFileSync(goOn, "");
  child.wake();
  expect(JSON.parse(await child.next())).toEqual({ done: 1 }); // as far as the child knows
  expect(await find()).toEqual(before);
  release.resolve();
  await vi.waitFor(async () =>
    expect(await find()).toMatchObject({ status: "delivered", fence: 2 }),
  );
});

test("F9: a process stopped for longer than its lease and woken cannot end the run that another has taken over", async () => {
  const path = join(temporaryFolder(), "holdpoint.db");
  const engine = await openTestEngine(path);
  await engine.runs.start({ threadId: "t", agent: "mailer", input: {}, dedupeKey: "k" });
  const { child, ask } = await startEngineChild(path);
  const run = (await ask({ type: "claim", agents: ["mailer"] })) as Run; // what the child prints
  child.stop();
  // The lease is the clock's of the database; this process reads one on which it has run out.
  const beside = await openTestEngine(path, { clock: () => later(systemClock(), 20_000) });
  const again = await beside.runs.claim(["mailer"]);
  expect(again).toMatchObject({ id: run.id, fence: 2, attempts: 2 });
  child.wake();
  expect(await ask({ type: "end", run })).toEqual({ type: "lost" });
  expect(await beside.runs.find(run.id)).toEqual(again);
  expect((await beside.runs.append(again ?? run, [])).type).toBe("stored");
});
