import type { JsonObject, RunId } from "@holdpoint/core";
import type { Row } from "../rows/row.ts";
import type { Statements } from "./statements.ts";
import type { Reading, RunEvent, Writing } from "../storage.ts";

/** Reads the events of a thread in order. */
export function readRunEvents(sql: Statements): Pick<Reading, "eventsOf" | "lastSeqsOf"> {
  return {
    lastSeqsOf: async (threadIds) =>
      new Map(
        (
          await sql.all(`SELECT id, last_seq FROM holdpoint.threads WHERE id = ANY ($1)`, threadIds)
        ).map((row) => [String(row["id"]), Number(row["last_seq"])]),
      ),
    eventsOf: async (threadId, afterSeq) =>
      (
        await sql.all(
          `SELECT * FROM holdpoint.run_events WHERE thread_id = $1 AND seq > $2 ORDER BY seq`,
          threadId,
          afterSeq,
        )
      ).map(eventFrom),
  };
}

/** Appends events; numbers rise for the life of the thread, whatever restarts. */
export function writeRunEvents(sql: Statements): Pick<Writing, "appendEvent" | "compactEvents"> {
  return {
    appendEvent: async (event, body) => {
      const row = await sql.get(
        `UPDATE holdpoint.threads SET last_seq = last_seq + 1 WHERE id = $1 RETURNING last_seq`,
        event.threadId,
      );
      if (row === undefined)
        throw new Error(`Thread ${event.threadId} is gone; its event was not stored.`);
      const seq = Number(row["last_seq"]);
      const stored = { ...event, seq, body: body(seq) };
      await sql.run(
        `INSERT INTO holdpoint.run_events (thread_id, seq, run_id, method, keep, interrupt_id, body)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        stored.threadId,
        stored.seq,
        stored.runId,
        stored.method,
        stored.keep,
        interruptIn(stored.body),
        JSON.stringify(stored.body),
      );
      return stored;
    },
    // A later run may have begun to speak before an earlier one is compacted: only what came before goes.
    compactEvents: async ({ id, threadId }) => {
      await sql.run(
        `DELETE FROM holdpoint.run_events AS event WHERE thread_id = $1 AND (
           (run_id = $2 AND NOT keep)
           OR (run_id IN (SELECT earlier.id FROM holdpoint.runs AS earlier
                 JOIN holdpoint.runs AS this ON this.id = $2
                 WHERE earlier.thread_id = this.thread_id AND earlier.seq < this.seq)
               AND NOT (method = 'input.requested' AND EXISTS (SELECT 1 FROM holdpoint.reviews
                 WHERE thread_id = $1 AND status = 'open' AND interrupt_id = event.interrupt_id))))`,
        threadId,
        id,
      );
    },
  };
}

/** The question that an event asks. Taken out here: Postgres cannot look into JSON that has a \u0000. */
function interruptIn(body: JsonObject): string | undefined {
  let place: unknown = body;
  for (const key of ["params", "data", "interrupt_id"])
    place = typeof place === "object" && place !== null ? Reflect.get(place, key) : undefined;
  return typeof place === "string" ? place : undefined;
}

function eventFrom(row: Row): RunEvent {
  return {
    threadId: String(row["thread_id"]),
    seq: Number(row["seq"]),
    runId: row["run_id"] as RunId, // written by us under this type
    method: String(row["method"]),
    keep: row["keep"] === true,
    body: JSON.parse(String(row["body"])) as JsonObject,
  };
}
