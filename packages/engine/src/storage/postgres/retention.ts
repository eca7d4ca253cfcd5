import type { ReviewId } from "@holdpoint/core";
import { erasedBody } from "../../audit/chain.ts";
import { mention } from "../rows/erased-rows.ts";
import { withoutReviewer } from "../rows/review-row.ts";
import type { Reading, Writing } from "../storage.ts";
import { noticeRemoval } from "./checkpoints.ts";
import type { Statements } from "./statements.ts";

/** Reads what may go, and where somebody is named. */
export function readRetention(
  sql: Statements,
): Pick<Reading, "settledThreads" | "isThreadBusy" | "eventsAbout"> {
  return {
    settledThreads: async (before, limit) => {
      const rows = await sql.all(
        `SELECT t.id FROM (
           SELECT id, max(at COLLATE "C") AS last FROM (
             SELECT thread_id AS id, coalesce(settled_at, created_at) AS at FROM holdpoint.reviews
             UNION ALL SELECT thread_id, coalesce(ended_at, created_at) FROM holdpoint.runs) AS times
           GROUP BY id) AS t
         WHERE t.last < $1
           AND NOT EXISTS (SELECT 1 FROM holdpoint.reviews WHERE thread_id = t.id AND status = 'open')
           AND NOT EXISTS (SELECT 1 FROM holdpoint.runs WHERE thread_id = t.id AND status IN ('queued', 'running'))
           AND NOT EXISTS (SELECT 1 FROM holdpoint.actions AS a JOIN holdpoint.permits AS p ON p.action_id = a.id
             WHERE a.thread_id = t.id AND p.status IN ('unused', 'started', 'suspended'))
         ORDER BY t.last, t.id LIMIT $2`,
        before,
        limit,
      );
      return rows.map((row) => String(row["id"]));
    },
    isThreadBusy: async (threadId) =>
      (await sql.get(
        `SELECT 1 FROM holdpoint.runs WHERE thread_id = $1 AND status IN ('queued', 'running')
         UNION ALL SELECT 1 FROM holdpoint.actions AS a JOIN holdpoint.permits AS p ON p.action_id = a.id
         WHERE a.thread_id = $1 AND p.status = 'started' LIMIT 1`,
        threadId,
      )) !== undefined,
    eventsAbout: async (subject) => {
      const { text, type } = mention(subject);
      const found = `SELECT stream, seq FROM holdpoint.audit_events WHERE type = $1 AND strpos(body, $2) > 0`;
      const rows =
        "reviewerId" in subject
          ? await sql.all(found, type, text)
          : await sql.all(
              `SELECT stream, seq FROM holdpoint.audit_events WHERE body <> $3 AND stream IN
                 (SELECT stream FROM (${found}) AS named
                  UNION SELECT id FROM holdpoint.reviews WHERE thread_id = $4)`,
              type,
              text,
              erasedBody,
              subject.threadId,
            );
      return rows.map((row) => ({ stream: String(row["stream"]), seq: Number(row["seq"]) }));
    },
  };
}

/** Removes threads, and erases who somebody is. */
export function writeRetention(
  sql: Statements,
): Pick<Writing, "removeThread" | "eraseEvents" | "removeMentions" | "eraseReviewer"> {
  return {
    removeThread: async (threadId) => {
      await noticeRemoval(sql);
      const rows = await sql.all(
        `SELECT id FROM holdpoint.reviews WHERE thread_id = $1 ORDER BY seq`,
        threadId,
      );
      for (const table of ["checkpoints", "checkpoint_parts", "checkpoint_writes", "reviews"])
        await sql.run(`DELETE FROM holdpoint.${table} WHERE thread_id = $1`, threadId);
      await sql.run(`DELETE FROM holdpoint.threads WHERE id = $1`, threadId);
      return rows.map((row) => row["id"] as ReviewId); // written by us under this type
    },
    eraseEvents: async (events) => {
      await sql.run(
        `UPDATE holdpoint.audit_events AS event SET body = $1, salt = NULL
         FROM unnest($2::text[], $3::bigint[]) AS erased (stream, seq)
         WHERE event.stream = erased.stream AND event.seq = erased.seq`,
        erasedBody,
        events.map(({ stream }) => stream),
        events.map(({ seq }) => seq),
      );
    },
    removeMentions: async (id) => {
      const text = JSON.stringify(id);
      await sql.run(
        `DELETE FROM holdpoint.replies WHERE strpos(caller, $1) > 0 OR strpos(reply, $2) > 0`,
        id,
        text,
      );
      await sql.run(`DELETE FROM holdpoint.deliveries WHERE strpos(body, $1) > 0`, text);
    },
    eraseReviewer: async (reviewerId, pseudonym) => {
      const reviews = await sql.all(
        `SELECT id, state FROM holdpoint.reviews WHERE id IN (SELECT a.review_id FROM holdpoint.decisions AS d
           JOIN holdpoint.actions AS a ON a.id = d.action_id WHERE d.reviewer = $1)`,
        reviewerId,
      );
      for (const { id, state } of reviews) {
        const without = withoutReviewer(String(state), reviewerId, pseudonym);
        await sql.run(`UPDATE holdpoint.reviews SET state = $1 WHERE id = $2`, without, String(id));
      }
      await sql.run(
        `UPDATE holdpoint.decisions SET reviewer = $1 WHERE reviewer = $2`,
        pseudonym,
        reviewerId,
      );
      await sql.run(`DELETE FROM holdpoint.api_keys WHERE reviewer_id = $1`, reviewerId);
      await sql.run(`DELETE FROM holdpoint.reviewers WHERE id = $1`, reviewerId);
    },
  };
}
