import assert from "node:assert/strict";
import { newId } from "../../ids.ts";
import type { AuditEvent } from "../storage.ts";
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
        for (const event of events.toReversed()) await writing.insertAuditEvent(event);
        await writing.insertAuditEvent(anEvent(`${stream} other`, 3));
      });
      const seen = await storage.read(async (reading) => ({
        all: await reading.auditOf(stream),
        last: await reading.lastAuditOf(stream),
        none: await reading.lastAuditOf("none"),
      }));
      assert.deepEqual(seen, { all: events, last: events[2], none: undefined });
    },
  ),

  check(
    "a number of a stream is given once: what is there is never overwritten",
    async (storage) => {
      const event = anEvent(newId("rev"), 1);
      const insert = (one: AuditEvent) => storage.write((writing) => writing.insertAuditEvent(one));
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
            const last = await writing.lastAuditOf(stream);
            const seq = (last?.seq ?? 0) + 1;
            const link = { previous: last?.hash ?? "start", hash: `hash of rival ${rival}` };
            await writing.insertAuditEvent({ ...anEvent(stream, seq), ...link });
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

function anEvent(stream: string, seq: number): AuditEvent {
  return { stream, seq, type: hardText, at: past, body: hardJson, previous: "p", hash: `h${seq}` };
}
