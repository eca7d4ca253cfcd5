import type { JsonObject, RunId } from "@holdpoint/core";
import type { Row } from "../rows/row.ts";
import type { Statements } from "./statements.ts";
import type { Reading, RunEvent, Writing } from "../storage.ts";

/** Reads the events of a thread in order. */
export function readRunEvents(sql: Statements): Pick<Reading, "eventsOf" | "lastSeqsOf"> {
  return {
    lastSeqsOf: async (threadIds) =>
      new Map(
        sql
          .all(
            `SELECT id, last_seq FROM threads WHERE id IN (SELECT value FROM json_each(?))`,
            JSON.stringify(threadIds),
          )
          .map((row) => [String(row.id), Number(row.last_seq)]),
      ),
    eventsOf: async (threadId, afterSeq) =>
      sql
        .all(
          `SELECT * FROM run_events WHERE thread_id = ? AND seq > ? ORDER BY seq`,
          threadId,
          afterSeq,
        )
        .map(eventFrom),
  };
}

/** Appends events; numbers rise for the life of the thread, whatever restarts. */
export function writeRunEvents(sql: Statements): Pick<Writing, "appendEvent" | "compactEvents"> {
  return {
    appendEvent: async (event, body) => {
      const row = sql.get(
        `UPDATE threads SET last_seq = last_seq + 1 WHERE id = ? RETURNING last_seq`,
        event.threadId,
      );
      if (row === undefined)
        throw new Error(`Thread ${event.threadId} is gone; its event was not stored.`);
      const seq = Number(row.last_seq);
      const stored = { ...event, seq, body: body(seq) };
      sql.run(
        `INSERT INTO run_events (thread_id, seq, run_id, method, compact, body) VALUES (?, ?, ?, ?, ?, ?)`,
        stored.threadId,
        stored.seq,
        stored.runId,
        stored.method,
        stored.keep,
        JSON.stringify(stored.body),
      );
      return stored;
    },
    // A later run may have begun to speak before an earlier one is compacted: only what came before goes.
    compactEvents: async ({ id, threadId }) => {
      sql.run(
        `DELETE FROM run_events WHERE thread_id = ? AND (
           (run_id = ? AND compact = 0)
           OR (run_id IN (SELECT earlier.id FROM runs AS earlier JOIN runs AS this ON this.id = ?
                 WHERE earlier.thread_id = this.thread_id AND earlier.seq < this.seq)
               AND NOT (method = 'input.requested'
                 AND body ->> '$.params.data.interrupt_id' IN
                   (SELECT interrupt_id FROM reviews WHERE thread_id = ? AND status = 'open'))))`,
        threadId,
        id,
        id,
        threadId,
      );
    },
  };
}

function eventFrom(row: Row): RunEvent {
  return {
    threadId: String(row.thread_id),
    seq: Number(row.seq),
    runId: row.run_id as RunId, // written by us under this type
    method: String(row.method),
    keep: row.compact === 1, // the column's first name
    body: JSON.parse(String(row.body)) as JsonObject,
  };
}
