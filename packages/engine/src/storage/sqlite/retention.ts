import type { ReviewId } from "@holdpoint/core";
import { erasedBody } from "../../audit/chain.ts";
import { mention } from "../rows/erased-rows.ts";
import { withoutReviewer } from "../rows/review-row.ts";
import type { Reading, Writing } from "../storage.ts";
import type { Statements } from "./statements.ts";

/** Reads what may go, and where somebody is named. */
export function readRetention(
  sql: Statements,
): Pick<Reading, "settledThreads" | "isThreadBusy" | "eventsAbout"> {
  return {
    settledThreads: async (before, limit) =>
      sql
        .all(
          `SELECT t.id FROM (
             SELECT id, max(at) AS last FROM (
               SELECT thread_id AS id, coalesce(settled_at, created_at) AS at FROM reviews
               UNION ALL SELECT thread_id, coalesce(ended_at, created_at) FROM runs)
             GROUP BY id) AS t
           WHERE t.last < ?
             AND NOT EXISTS (SELECT 1 FROM reviews WHERE thread_id = t.id AND status = 'open')
             AND NOT EXISTS (SELECT 1 FROM runs WHERE thread_id = t.id AND status IN ('queued', 'running'))
             AND NOT EXISTS (SELECT 1 FROM actions AS a JOIN permits AS p ON p.action_id = a.id
               WHERE a.thread_id = t.id AND p.status IN ('unused', 'started', 'suspended'))
           ORDER BY t.last, t.id LIMIT ?`,
          before,
          limit,
        )
        .map((row) => String(row.id)),
    isThreadBusy: async (threadId) =>
      sql.get(
        `SELECT 1 FROM runs WHERE thread_id = ?1 AND status IN ('queued', 'running')
         UNION ALL SELECT 1 FROM actions AS a JOIN permits AS p ON p.action_id = a.id
         WHERE a.thread_id = ?1 AND p.status = 'started' LIMIT 1`,
        threadId,
      ) !== undefined,
    eventsAbout: async (subject) => {
      const { text, type } = mention(subject);
      const found = `SELECT stream, seq FROM audit_events WHERE type = ? AND instr(body, ?) > 0`;
      const rows =
        "reviewerId" in subject
          ? sql.all(found, type, text)
          : sql.all(
              `SELECT stream, seq FROM audit_events WHERE body <> ? AND stream IN
                 (SELECT stream FROM (${found}) UNION SELECT id FROM reviews WHERE thread_id = ?)`,
              erasedBody,
              type,
              text,
              subject.threadId,
            );
      return rows.map((row) => ({ stream: String(row.stream), seq: Number(row.seq) }));
    },
  };
}

/** Removes threads, and erases who somebody is. */
export function writeRetention(
  sql: Statements,
): Pick<Writing, "removeThread" | "eraseEvents" | "removeMentions" | "eraseReviewer"> {
  return {
    removeThread: async (threadId) => {
      const reviews = sql
        .all(`SELECT id FROM reviews WHERE thread_id = ? ORDER BY seq`, threadId)
        .map((row) => row.id as ReviewId); // written by us under this type
      for (const table of ["checkpoints", "checkpoint_parts", "checkpoint_writes", "reviews"])
        sql.run(`DELETE FROM ${table} WHERE thread_id = ?`, threadId);
      sql.run(`DELETE FROM threads WHERE id = ?`, threadId);
      return reviews;
    },
    eraseEvents: async (events) => {
      for (const { stream, seq } of events) {
        sql.run(
          `UPDATE audit_events SET body = ?, salt = NULL WHERE stream = ? AND seq = ?`,
          erasedBody,
          stream,
          seq,
        );
      }
    },
    removeMentions: async (id) => {
      const text = JSON.stringify(id);
      sql.run(`DELETE FROM replies WHERE instr(caller, ?) > 0 OR instr(reply, ?) > 0`, id, text);
      sql.run(`DELETE FROM deliveries WHERE instr(body, ?) > 0`, text);
    },
    eraseReviewer: async (reviewerId, pseudonym) => {
      const reviews = sql.all(
        `SELECT id, state FROM reviews WHERE id IN (SELECT a.review_id FROM decisions AS d
           JOIN actions AS a ON a.id = d.action_id WHERE d.reviewer = ?)`,
        reviewerId,
      );
      for (const { id, state } of reviews) {
        const without = withoutReviewer(String(state), reviewerId, pseudonym);
        sql.run(`UPDATE reviews SET state = ? WHERE id = ?`, without, String(id));
      }
      sql.run(`UPDATE decisions SET reviewer = ? WHERE reviewer = ?`, pseudonym, reviewerId);
      sql.run(`DELETE FROM api_keys WHERE reviewer_id = ?`, reviewerId);
      sql.run(`DELETE FROM reviewers WHERE id = ?`, reviewerId);
    },
  };
}
