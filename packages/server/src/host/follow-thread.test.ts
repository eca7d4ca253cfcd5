import { openEngine, type Run, type RunEvent } from "@holdpoint/engine";
import { expect, onTestFinished, test, vi } from "vitest";
import { protocolEvent } from "./event-log.ts";
import { type Follower, followThread } from "./follow-thread.ts";

/** A thread with a run, and what stores its events as any process does: nobody here is told by itself. */
async function aThread() {
  const engine = await openEngine({ database: ":memory:" });
  onTestFinished(() => engine.close().catch(() => undefined));
  await engine.runs.start({ threadId: "t1", agent: "a", input: {}, dedupeKey: "1" });
  const run = (await engine.runs.claim(["a"])) as Run; // it is the only one
  const store = async (method: string, keep = true): Promise<RunEvent> => {
    const stored = await engine.runs.append(run, [protocolEvent(method, {}, keep)]);
    const [event] = stored.type === "stored" ? stored.events : [];
    if (event === undefined) throw new Error("the run is ours");
    return event;
  };
  const follow = (after: number, hear?: Follower["hear"]) => {
    const heard: string[] = [];
    const failures: unknown[] = [];
    const following = followThread(
      engine,
      { threadId: "t1", after },
      {
        hear: async (event) => {
          await hear?.(event);
          heard.push(event.method);
        },
        fail: (error) => void failures.push(error),
      },
    );
    onTestFinished(following.stop);
    return { ...following, heard, failures };
  };
  return { engine, run, store, follow };
}

test("what was stored before somebody follows is heard first, from behind the number", async () => {
  const { store, follow } = await aThread();
  for (const method of ["one", "two", "three"]) await store(method);
  const { heard } = follow(1);
  await vi.waitFor(() => expect(heard).toEqual(["two", "three"]));
});

test("an event that is told is heard after those that other processes stored before it, each once", async () => {
  const { store, follow } = await aThread();
  const { heard, tell, tellNewest } = follow(0);
  const one = await store("one");
  await store("two");
  const three = await store("three");
  tell(three);
  tell(one);
  await vi.waitFor(() => expect(heard).toEqual(["one", "two", "three"]));
  await store("four");
  tellNewest(4);
  tellNewest(4);
  await vi.waitFor(() => expect(heard).toEqual(["one", "two", "three", "four"]));
});

test("whoever listens slowly hears everything, in order, and what waits for it in memory is bounded", async () => {
  const { store, follow } = await aThread();
  let letGo = (): void => undefined;
  const slow = new Promise<void>((resolve) => (letGo = resolve));
  const { heard, tell } = follow(0, () => slow);
  const stored: string[] = [];
  for (let number = 1; number <= 700; number += 1) {
    tell(await store(`n${number}`));
    stored.push(`n${number}`);
  }
  expect(heard).toEqual([]);
  letGo();
  await vi.waitFor(() => expect(heard).toHaveLength(700));
  expect(heard).toEqual(stored);
});

test("what was compacted away before it was heard holds nothing up", async () => {
  const { engine, run, store, follow } = await aThread();
  let letGo = (): void => undefined;
  const slow = new Promise<void>((resolve) => (letGo = resolve));
  const hear = vi.fn(() => slow);
  const { heard, tellNewest } = follow(0, hear);
  await store("first");
  tellNewest(1);
  await vi.waitFor(() => expect(hear).toHaveBeenCalledOnce());
  await store("delta", false);
  await engine.runs.end(run, "completed", []);
  tellNewest(2);
  letGo();
  await vi.waitFor(() => expect(heard).toEqual(["first"]));
  await engine.runs.start({ threadId: "t1", agent: "a", input: {}, dedupeKey: "2" });
  const next = (await engine.runs.claim(["a"])) as Run; // it is the only one
  await engine.runs.append(next, [protocolEvent("later", {})]);
  tellNewest(3);
  await vi.waitFor(() => expect(heard).toEqual(["first", "later"]));
});

test("a thread that cannot be read is said to have failed, once", async () => {
  const { engine, follow } = await aThread();
  await engine.close();
  const { failures, tellNewest } = follow(0);
  await vi.waitFor(() => expect(failures).toHaveLength(1));
  tellNewest(7);
  await new Promise((resolve) => setImmediate(resolve));
  expect(failures).toHaveLength(1);
});
