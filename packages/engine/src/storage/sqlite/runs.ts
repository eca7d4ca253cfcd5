import type { Row } from "../rows/row.ts";
import { runFrom } from "../rows/run-row.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Run, Writing } from "../storage.ts";

type RunReading = Pick<
  Reading,
  | "findThread"
  | "hostedAmong"
  | "findRun"
  | "findRunByKey"
  | "activeRunsOf"
  | "latestRunOf"
  | "dueRun"
  | "leaseOwners"
>;
type RunWriting = Pick<
  Writing,
  | "insertThread"
  | "insertRuns"
  | "claimRun"
  | "endRun"
  | "releaseRun"
  | "renewLeases"
  | "expireLeases"
>;

/** Reads threads and their runs. */
export function readRuns(sql: Statements, now: string): RunReading {
  const run = (row: Row | undefined): Run | undefined =>
    row === undefined ? undefined : runFrom(row);
  return {
    findThread: async (id) => {
      const row = sql.get(`SELECT * FROM threads WHERE id = ?`, id);
      if (row === undefined) return undefined;
      return {
        id: String(row.id),
        agent: String(row.agent),
        createdAt: String(row.created_at),
        lastSeq: Number(row.last_seq),
      };
    },
    hostedAmong: async (threadIds) =>
      new Set(
        sql
          .all(
            `SELECT id FROM threads WHERE id IN (SELECT value FROM json_each(?))`,
            JSON.stringify(threadIds),
          )
          .map((row) => String(row.id)),
      ),
    findRun: async (id) => run(sql.get(`SELECT * FROM runs WHERE id = ?`, id)),
    findRunByKey: async (threadId, key) =>
      run(sql.get(`SELECT * FROM runs WHERE thread_id = ? AND dedupe_key = ?`, threadId, key)),
    activeRunsOf: async (threadId) =>
      sql
        .all(
          `SELECT * FROM runs WHERE thread_id = ? AND status IN ('queued', 'running') ORDER BY seq`,
          threadId,
        )
        .map(runFrom),
    latestRunOf: async (threadId) =>
      run(sql.get(`SELECT * FROM runs WHERE thread_id = ? ORDER BY seq DESC LIMIT 1`, threadId)),
    // One running run for each thread: a queued one waits while an earlier one is not done.
    dueRun: async (agents, held) =>
      run(
        sql.get(
          `SELECT r.* FROM runs AS r JOIN threads AS t ON t.id = r.thread_id
           WHERE (r.status = 'queued' OR (r.status = 'running' AND r.lease_until <= ?))
             AND t.agent IN (SELECT value FROM json_each(?))
             AND r.id NOT IN (SELECT value FROM json_each(?))
             AND NOT EXISTS (SELECT 1 FROM runs AS earlier WHERE earlier.thread_id = r.thread_id
               AND earlier.seq < r.seq AND earlier.status IN ('queued', 'running'))
           ORDER BY r.seq LIMIT 1`,
          now,
          JSON.stringify(agents),
          JSON.stringify(held),
        ),
      ),
    leaseOwners: async () =>
      sql
        .all(
          `SELECT lease_owner FROM runs WHERE status = 'running' AND lease_owner IS NOT NULL
           UNION SELECT lease_owner FROM permits WHERE status = 'started' AND lease_owner IS NOT NULL
           UNION SELECT lease_owner FROM deliveries WHERE lease_owner IS NOT NULL`,
        )
        .map((row) => String(row.lease_owner)),
  };
}

/** Writes threads, runs and leases. */
export function writeRuns(sql: Statements, now: string): RunWriting {
  return {
    insertThread: async (thread) => {
      sql.run(
        `INSERT INTO threads (id, agent, created_at, last_seq) VALUES (?, ?, ?, ?)`,
        thread.id,
        thread.agent,
        thread.createdAt,
        thread.lastSeq,
      );
    },
    insertRuns: async (runs) => {
      for (const run of runs) {
        sql.run(
          `INSERT INTO runs (id, thread_id, kind, input, dedupe_key, status, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
          run.id,
          run.threadId,
          run.kind,
          run.input === undefined ? undefined : JSON.stringify(run.input),
          run.dedupeKey,
          run.status,
          run.createdAt,
        );
      }
    },
    claimRun: async (run, lease) => {
      const row = sql.get(
        `UPDATE runs SET status = 'running', attempts = attempts + 1, fence = fence + 1, lease_owner = ?, lease_until = ?
         WHERE id = ? AND fence = ? AND status IN ('queued', 'running') RETURNING *`,
        lease.owner,
        lease.until,
        run.id,
        run.fence,
      );
      return row === undefined ? undefined : runFrom(row);
    },
    endRun: async (run, status, error) =>
      sql.run(
        `UPDATE runs SET status = ?1, error = ?2, ended_at = ?3, lease_owner = NULL, lease_until = NULL,
           dedupe_key = CASE WHEN ?1 IN ('failed', 'cancelled') THEN NULL ELSE dedupe_key END
         WHERE id = ?4 AND fence = ?5 AND status IN ('queued', 'running')`,
        status,
        error,
        now,
        run.id,
        run.fence,
      ) === 1,
    releaseRun: async (run) =>
      sql.run(
        `UPDATE runs SET status = 'queued', attempts = attempts - 1, lease_owner = NULL, lease_until = NULL
         WHERE id = ? AND fence = ? AND status = 'running'`,
        run.id,
        run.fence,
      ) === 1,
    renewLeases: async (lease, { runs, permits }) => {
      sql.run(
        `UPDATE runs SET lease_until = ? WHERE status = 'running' AND lease_owner = ?
           AND id IN (SELECT value FROM json_each(?))`,
        lease.until,
        lease.owner,
        JSON.stringify(runs),
      );
      sql.run(
        `UPDATE permits SET lease_until = ? WHERE status = 'started' AND lease_owner = ?
           AND action_id IN (SELECT value FROM json_each(?))`,
        lease.until,
        lease.owner,
        JSON.stringify(permits),
      );
    },
    expireLeases: async (owner) => {
      sql.run(
        `UPDATE runs SET lease_until = ?1 WHERE status = 'running' AND lease_owner = ?2 AND lease_until > ?1`,
        now,
        owner,
      );
      sql.run(
        `UPDATE permits SET lease_until = ?1 WHERE status = 'started' AND lease_owner = ?2 AND lease_until > ?1`,
        now,
        owner,
      );
      sql.run(
        `UPDATE deliveries SET due_at = ?1 WHERE lease_owner = ?2 AND due_at > ?1`,
        now,
        owner,
      );
    },
  };
}
