import assert from "node:assert/strict";
import type { JsonObject } from "@holdpoint/core";
import type { Run, RunEvent, Writing } from "../storage.ts";
import { check, rivals, type StorageCheck } from "./check.ts";
import { aReview, closed, hardJson, hardText, insertRun, insertThread } from "./samples.ts";

/** What is promised of the events of a thread. */
export const eventChecks: readonly StorageCheck[] = [
  check("events come back as they were stored, numbered without a gap", async (storage) => {
    const run = await storage.write(async (writing) =>
      insertRun(writing, await insertThread(writing)),
    );
    const stored = await storage.write(async (writing) => [
      await append(writing, run, { method: hardText, keep: true }, hardJson),
      await append(writing, run, { method: "delta", keep: false }, {}),
    ]);
    assert.deepEqual(
      stored.map((event) => [event.seq, event.keep, event.body["seq"]]),
      [
        [1, true, 1],
        [2, false, 2],
      ],
    );
    const eventsAfter = (seq: number) =>
      storage.read((reading) => reading.eventsOf(run.threadId, seq));
    assert.deepEqual(await eventsAfter(0), stored);
    assert.deepEqual(await eventsAfter(1), stored.slice(1));
    const thread = await storage.read((reading) => reading.findThread(run.threadId));
    assert.equal(thread?.lastSeq, 2);
  }),

  check("events that are appended at once each get a number of their own", async (storage) => {
    const run = await storage.write(async (writing) =>
      insertRun(writing, await insertThread(writing)),
    );
    await Promise.all(
      rivals.map((rival) =>
        storage.write((writing) => append(writing, run, { method: "x", keep: true }, { rival })),
      ),
    );
    const events = await storage.read((reading) => reading.eventsOf(run.threadId, 0));
    assert.deepEqual(
      events.map((event) => event.seq),
      rivals.map((_, index) => index + 1),
    );
    assert.ok(events.every((event) => event.body["seq"] === event.seq));
    assert.equal(new Set(events.map((event) => event.body["rival"])).size, rivals.length);
  }),

  check("the newest number of each thread is known, of none that is not there", async (storage) => {
    const [one, two] = await storage.write(async (writing) => {
      const first = await insertRun(writing, await insertThread(writing));
      const second = await insertRun(writing, await insertThread(writing));
      for (const run of [first, first, second])
        await append(writing, run, { method: "delta", keep: false }, {});
      await writing.compactEvents(first);
      return [first.threadId, second.threadId];
    });
    const newest = await storage.read((reading) =>
      reading.lastSeqsOf([one, two, "no such thread"]),
    );
    assert.deepEqual(
      newest,
      new Map([
        [one, 2],
        [two, 1],
      ]),
    );
    assert.equal((await storage.read((reading) => reading.lastSeqsOf([]))).size, 0);
  }),

  check("an event of a thread that is not there is refused", async (storage) => {
    const run = { id: "run_none", threadId: "no such thread" } as const;
    await assert.rejects(
      storage.write((writing) => append(writing, run, { method: "x", keep: true }, {})),
    );
  }),

  check(
    "compaction leaves the run's kept events, later runs' events, and questions that are open",
    async (storage) => {
      const left = await storage.write(async (writing) => {
        const thread = await insertThread(writing);
        const [open, settled] = [
          aReview({ threadId: thread.id }),
          aReview({ threadId: thread.id }),
        ];
        for (const review of [open, settled]) await writing.insertReview(review);
        await writing.saveReviews([{ review: closed(settled, "x"), over: 1 }]);
        const [earlier, run, later] = [
          await insertRun(writing, thread),
          await insertRun(writing, thread),
          await insertRun(writing, thread),
        ];
        const say = (by: Run, name: string, keep: boolean, interruptId?: string) =>
          append(
            writing,
            by,
            { method: interruptId === undefined ? "message" : "input.requested", keep },
            { name, params: { data: { interrupt_id: interruptId ?? null, text: hardText } } },
          );
        await say(earlier, "earlier", true);
        await say(earlier, "open question", true, open.interruptId);
        await say(earlier, "settled question", true, settled.interruptId);
        await say(run, "kept", true);
        await say(run, "delta", false);
        await say(run, "own question", true, settled.interruptId);
        await say(later, "later delta", false);
        await writing.compactEvents(run);
        return writing.eventsOf(thread.id, 0);
      });
      assert.deepEqual(
        left.map((event) => event.body["name"]),
        ["open question", "kept", "own question", "later delta"],
      );
    },
  ),
];

function append(
  writing: Writing,
  { id, threadId }: Pick<Run, "id" | "threadId">,
  event: Pick<RunEvent, "method" | "keep">,
  body: JsonObject,
): Promise<RunEvent> {
  return writing.appendEvent({ ...event, threadId, runId: id, body: {} }, (seq) => ({
    ...body,
    seq,
  }));
}
