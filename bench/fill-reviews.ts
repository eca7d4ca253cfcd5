import { DatabaseSync } from "node:sqlite";
import type { ActionId, ReviewId } from "@holdpoint/core";
import { openEngine } from "@holdpoint/engine";
import { Client } from "pg";

const time = "2026-11-30T12:00:00.000Z";
const asked = {
  agent: "mailer",
  turnId: "turn",
  cause: "policy",
  actions: [
    {
      id: "act_NUMBER",
      toolCallId: "call-1",
      call: {
        name: "send_email",
        args: {
          to: "anna@example.com",
          subject: "Invoice 17",
          body: "Please pay. ".repeat(10),
        },
      },
      digest: "sha256:x",
      allowedDecisions: ["approve", "edit", "reject", "respond"],
      rule: "interruptOn.send_email",
      reason: "send_email always asks a person first.",
      reasonCode: "always",
    },
  ],
};
const raised = { taskId: "t", round: 0, votes: 0 };
const open = { raised, actions: [{ status: "open" }] };
const recorded = {
  decision: { type: "reject" },
  reviewer: { id: "anna", name: "Anna" },
  at: time,
};
const decided = {
  raised,
  actions: [{ status: "decided", outcome: { type: "rejected" }, recorded }],
};

/** Ids begin with the time and so grow; here they grow with the number. */
const base = 1_000_000_000_000;

/** The review of a number, and its action. */
export function idsOf(number: number): { readonly review: ReviewId; readonly action: ActionId } {
  return { review: `rev_${base + number}`, action: `act_${base + number}` };
}

/** Which reviews to put into a database, in SQL over their number `n`. */
export type Filling = {
  readonly from: number;
  readonly to: number;
  /** When a review is open; the others are decided. */
  readonly isOpen: string;
  readonly deadline?: string;
};

/** In SQL that both databases read; `numbers` gives the numbers. */
function rowsOf({ isOpen, deadline = "NULL" }: Filling, numbers: string, schema: string): string {
  return `INSERT INTO ${schema}threads (id, agent, created_at) SELECT 'thread_' || (${base} + n), 'mailer', '${time}'
    FROM ${numbers};
    INSERT INTO ${schema}reviews (id, version, thread_id, interrupt_id, status, created_at, settled_at, deadline_at,
      body, state)
    SELECT 'rev_' || (${base} + n), 1, 'thread_' || (${base} + n), 'interrupt',
      CASE WHEN ${isOpen} THEN 'open' ELSE 'decided' END, '${time}', CASE WHEN ${isOpen} THEN NULL ELSE '${time}' END,
      ${deadline}, replace('${JSON.stringify(asked)}', 'NUMBER', CAST(${base} + n AS text)),
      CASE WHEN ${isOpen} THEN '${JSON.stringify(open)}' ELSE '${JSON.stringify(decided)}' END
    FROM ${numbers};
    INSERT INTO ${schema}actions (id, review_id, idx, thread_id, turn_id, tool_call_id)
    SELECT 'act_' || (${base} + n), 'rev_' || (${base} + n), 0, 'thread_' || (${base} + n), 'turn', 'call-1'
    FROM ${numbers};`;
}

/** Puts reviews of one action each, and their threads, into the SQLite database at a path. */
export async function fillSqlite(path: string, filling: Filling): Promise<void> {
  await (await openEngine({ database: `file:${path}` })).close();
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN;
    CREATE TEMP TABLE numbers AS WITH RECURSIVE counted (n) AS
      (SELECT ${filling.from} UNION ALL SELECT n + 1 FROM counted WHERE n < ${filling.to}) SELECT n FROM counted;
    ${rowsOf(filling, "numbers", "")} COMMIT`);
  database.close();
}

/** Puts the same into a Postgres. */
export async function fillPostgres(url: string, filling: Filling): Promise<void> {
  await (await openEngine({ database: url })).close();
  const client = new Client({ connectionString: url });
  await client.connect();
  const numbers = `generate_series(${filling.from}, ${filling.to}) AS numbers (n)`;
  await client.query(rowsOf(filling, numbers, "holdpoint."));
  await client.query("VACUUM ANALYZE");
  await client.end();
}

/** Ends what a server does after much was written; the files of its log are used again from here on. */
export async function checkpoint(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("CHECKPOINT");
  await client.end();
}
