import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../ids.ts";
import type { AuditEvent, Reading } from "../storage.ts";
import { check, rivals, type StorageCheck } from "./check.ts";
import { hardJson, hardText, past } from "./samples.ts";

/** What is promised of audit events. */
export const auditChecks: readonly StorageCheck[] = [
  check(
    "events of a stream come back as they were stored, in order, with the last one known",
    async (storage) => {
      const stream = newId("rev");
      const events = [anEvent(stream, 1), anEvent(stream, 2), anEvent(stream, 10)];
      await storage.write(async (writing) => {
        await writing.insertAuditEvents(events.toReversed());
        await writing.insertAuditEvents([anEvent(`${stream} other`, 3)]);
      });
      const seen = await storage.read(async (reading) => ({
        all: await reading.auditOf(stream),
        last: await reading.lastAuditsOf(["none", stream]),
      }));
      const { seq, hash } = anEvent(stream, 10);
      assert.deepEqual(seen, { all: events, last: new Map([[stream, { seq, hash }]]) });
    },
  ),

  check(
    "events have one order over all streams, and what is settled is complete",
    async (storage) => {
      const stream = newId("rev");
      const insert = (seq: number) =>
        storage.write((writing) => writing.insertAuditEvents([anEvent(stream, seq)]));
      const before = await storage.read((reading) => reading.auditHead());
      await insert(1);
      await Promise.all([2, 3, 4].map(insert));
      const { head, isSettled, placed, rest } = await storage.read(async (reading) => {
        const last = await reading.auditHead();
        const range = { after: before.position, to: last.position };
        return {
          head: last,
          isSettled: await reading.auditSettled(last),
          placed: await reading.auditBetween({ ...range, limit: 3 }),
          rest: await reading.auditBetween({ ...range, limit: 100 }),
        };
      });
      assert.equal(isSettled, true);
      assert.equal(rest.length, 4);
      assert.deepEqual(placed, rest.slice(0, 3));
      const positions = rest.map(({ position }) => position);
      assert.deepEqual(
        positions,
        positions.toSorted((a, b) => a - b),
      );
      assert.equal(positions.at(-1), head.position);
    },
  ),

  check(
    "a head is not settled while a writer that was at work may still add an event",
    async (storage) => {
      const stream = newId("rev");
      const inserted = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const slow = storage.write(async (writing) => {
        await writing.insertAuditEvents([anEvent(stream, 1)]);
        inserted.resolve();
        await goOn.promise;
      });
      await inserted.promise;
      const looking = storage.read(async (reading) => {
        const head = await reading.auditHead();
        const isSettled = await reading.auditSettled(head);
        return { head, isSettled, count: await countTo(reading, head.position) };
      });
      await Promise.race([looking, sleep(300)]); // a storage may let readers wait for the writer
      goOn.resolve();
      const seen = await looking;
      await slow;
      const later = await storage.read((reading) => countTo(reading, seen.head.position));
      assert.ok(!seen.isSettled || later === seen.count); // nothing came, or it was said that it may
      assert.equal(await storage.read((reading) => reading.auditSettled(seen.head)), true);
    },
  ),

  check(
    "a seal of one number is kept once, byte for byte, and seals come in their order",
    async (storage) => {
      const last = (await storage.read((reading) => reading.lastSeal()))?.number ?? 0;
      const put = (number: number, line: string) =>
        storage.write((writing) => writing.insertSeal({ number, line }));
      assert.equal(await put(last + 1, ` {"a": 1}  `), true);
      assert.equal(await put(last + 1, "another"), false);
      assert.equal(await put(last + 2, "second"), true);
      const { seals, newest } = await storage.read(async (reading) => ({
        seals: await reading.sealsAfter(last, 10),
        newest: await reading.lastSeal(),
      }));
      assert.deepEqual(seals, [
        { number: last + 1, line: ` {"a": 1}  ` },
        { number: last + 2, line: "second" },
      ]);
      assert.deepEqual(newest, seals[1]);
    },
  ),

  check(
    "a number of a stream is given once: what is there is never overwritten",
    async (storage) => {
      const event = anEvent(newId("rev"), 1);
      const insert = (one: AuditEvent) =>
        storage.write((writing) => writing.insertAuditEvents([one]));
      await insert(event);
      await assert.rejects(insert({ ...event, type: "another" }));
      assert.deepEqual(await storage.read((reading) => reading.auditOf(event.stream)), [event]);
    },
  ),

  check(
    "events that are linked at once make one chain without a gap or a fork",
    async (storage) => {
      const stream = newId("rev");
      await Promise.all(
        rivals.map((rival) =>
          storage.write(async (writing) => {
            const last = (await writing.lastAuditsOf([stream])).get(stream);
            const seq = (last?.seq ?? 0) + 1;
            const link = { previous: last?.hash ?? "start", hash: `hash of rival ${rival}` };
            await writing.insertAuditEvents([{ ...anEvent(stream, seq), ...link }]);
          }),
        ),
      );
      const events = await storage.read((reading) => reading.auditOf(stream));
      assert.equal(events.length, rivals.length);
      for (const [index, event] of events.entries()) {
        assert.equal(event.seq, index + 1);
        assert.equal(event.previous, events[index - 1]?.hash ?? "start");
      }
    },
  ),
];

async function countTo(reading: Reading, to: number): Promise<number> {
  return (await reading.auditBetween({ after: 0, to, limit: 1_000_000 })).length;
}

// What is audited can be hashed; an integer beyond 2^53 cannot.
const { huge: _huge, ...body } = hardJson;

function anEvent(stream: string, seq: number): AuditEvent {
  return { stream, seq, type: hardText, at: past, body, previous: "p", hash: `h${seq}` };
}
