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
      const row = await sql.get(`SELECT * FROM holdpoint.threads WHERE id = $1`, id);
      if (row === undefined) return undefined;
      return {
        id: String(row.id),
        agent: String(row.agent),
        createdAt: String(row.created_at),
        lastSeq: Number(row.last_seq),
      };
    },
    hostedAmong: async (threadIds) => {
      const rows = await sql.all(`SELECT id FROM holdpoint.threads WHERE id = ANY ($1)`, threadIds);
      return new Set(rows.map((row) => String(row.id)));
    },
    findRun: async (id) => run(await sql.get(`SELECT * FROM holdpoint.runs WHERE id = $1`, id)),
    findRunByKey: async (threadId, key) =>
      run(
        await sql.get(
          `SELECT * FROM holdpoint.runs WHERE thread_id = $1 AND dedupe_key = $2`,
          threadId,
          key,
        ),
      ),
    activeRunsOf: async (threadId) =>
      (
        await sql.all(
          `SELECT * FROM holdpoint.runs WHERE thread_id = $1 AND status IN ('queued', 'running') ORDER BY seq`,
          threadId,
        )
      ).map(runFrom),
    latestRunOf: async (threadId) =>
      run(
        await sql.get(
          `SELECT * FROM holdpoint.runs WHERE thread_id = $1 ORDER BY seq DESC LIMIT 1`,
          threadId,
        ),
      ),
    // One running run for each thread: a queued one waits while an earlier one is not done.
    dueRun: async (agents, held) =>
      run(
        await sql.get(
          `SELECT r.* FROM holdpoint.runs AS r JOIN holdpoint.threads AS t ON t.id = r.thread_id
           WHERE (r.status = 'queued' OR (r.status = 'running' AND r.lease_until <= $1))
             AND t.agent = ANY ($2)
             AND r.id <> ALL ($3)
             AND NOT EXISTS (SELECT 1 FROM holdpoint.runs AS earlier WHERE earlier.thread_id = r.thread_id
               AND earlier.seq < r.seq AND earlier.status IN ('queued', 'running'))
           ORDER BY r.seq LIMIT 1`,
          now,
          agents,
          held,
        ),
      ),
    leaseOwners: async () =>
      (
        await sql.all(
          `SELECT lease_owner FROM holdpoint.runs WHERE status = 'running' AND lease_owner IS NOT NULL
           UNION SELECT lease_owner FROM holdpoint.permits WHERE status = 'started' AND lease_owner IS NOT NULL
           UNION SELECT lease_owner FROM holdpoint.deliveries WHERE lease_owner IS NOT NULL`,
        )
      ).map((row) => String(row.lease_owner)),
  };
}

/** Writes threads, runs and leases. */
export function writeRuns(sql: Statements, now: string): RunWriting {
  return {
    insertThread: async (thread) => {
      await sql.run(
        `INSERT INTO holdpoint.threads (id, agent, created_at, last_seq) VALUES ($1, $2, $3, $4)`,
        thread.id,
        thread.agent,
        thread.createdAt,
        thread.lastSeq,
      );
    },
    insertRuns: async (runs) => {
      await sql.run(
        `INSERT INTO holdpoint.runs (id, thread_id, kind, input, dedupe_key, status, created_at)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])`,
        runs.map((run) => run.id),
        runs.map((run) => run.threadId),
        runs.map((run) => run.kind),
        runs.map((run) => (run.input === undefined ? undefined : JSON.stringify(run.input))),
        runs.map((run) => run.dedupeKey),
        runs.map((run) => run.status),
        runs.map((run) => run.createdAt),
      );
    },
    claimRun: async (run, lease) => {
      const row = await sql.get(
        `UPDATE holdpoint.runs SET status = 'running', attempts = attempts + 1, fence = fence + 1, lease_owner = $1, lease_until = $2
         WHERE id = $3 AND fence = $4 AND status IN ('queued', 'running') RETURNING *`,
        lease.owner,
        lease.until,
        run.id,
        run.fence,
      );
      return row === undefined ? undefined : runFrom(row);
    },
    endRun: async (run, status, error) =>
      (await sql.run(
        `UPDATE holdpoint.runs SET status = $1, error = $2, ended_at = $3, lease_owner = NULL, lease_until = NULL,
           dedupe_key = CASE WHEN $1 IN ('failed', 'cancelled') THEN NULL ELSE dedupe_key END
         WHERE id = $4 AND fence = $5 AND status IN ('queued', 'running')`,
        status,
        error,
        now,
        run.id,
        run.fence,
      )) === 1,
    releaseRun: async (run) =>
      (await sql.run(
        `UPDATE holdpoint.runs SET status = 'queued', attempts = attempts - 1, lease_owner = NULL, lease_until = NULL
         WHERE id = $1 AND fence = $2 AND status = 'running'`,
        run.id,
        run.fence,
      )) === 1,
    renewLeases: async (lease, { runs, permits }) => {
      await sql.run(
        `UPDATE holdpoint.runs SET lease_until = $1 WHERE status = 'running' AND lease_owner = $2
           AND id = ANY ($3)`,
        lease.until,
        lease.owner,
        runs,
      );
      await sql.run(
        `UPDATE holdpoint.permits SET lease_until = $1 WHERE status = 'started' AND lease_owner = $2
           AND action_id = ANY ($3)`,
        lease.until,
        lease.owner,
        permits,
      );
    },
    expireLeases: async (owner) => {
      await sql.run(
        `UPDATE holdpoint.runs SET lease_until = $1 WHERE status = 'running' AND lease_owner = $2 AND lease_until > $1`,
        now,
        owner,
      );
      await sql.run(
        `UPDATE holdpoint.permits SET lease_until = $1 WHERE status = 'started' AND lease_owner = $2 AND lease_until > $1`,
        now,
        owner,
      );
      await sql.run(
        `UPDATE holdpoint.deliveries SET due_at = $1 WHERE lease_owner = $2 AND due_at > $1`,
        now,
        owner,
      );
    },
  };
}
