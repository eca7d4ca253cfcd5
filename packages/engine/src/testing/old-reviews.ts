import type { Review } from "@holdpoint/core";
import type { Engine } from "../engine.ts";
import { anna } from "./review-draft.ts";

const at = "2026-11-30T12:00:00.000Z";
const call = { name: "send_email", args: { to: null, body: 'Ä "quoted"\n\u0001', n: [1e21, 0.1] } };
const schema = { type: "object", properties: { to: { default: null } } };
const raised = { taskId: "k", round: 0, votes: 0 };
const decided = {
  status: "decided",
  outcome: { type: "rejected" },
  recorded: { decision: { type: "reject" }, reviewer: { id: "anna", name: "Anna" }, at },
} as const;
const action = {
  toolCallId: 'call "0"',
  call,
  digest: "sha256:x",
  allowedDecisions: ["approve", "reject"],
  rule: "interruptOn.send_email",
  reason: "It always asks.",
  reasonCode: "always",
} as const;

/**
 * Rows of before a review was one row: one with everything that may be absent, one with nothing of it. In SQL
 * that both databases read; `schema` is put before the names of tables.
 */
export function oldReviews(schemaName: string): string {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const json = (value: unknown): string => text(JSON.stringify(value));
  const actionRow = (id: string, review: string, index: number, full: boolean, state: object) =>
    `INSERT INTO ${schemaName}actions (id, review_id, idx, thread_id, turn_id, tool_call_id, call, args_schema,
       answer_schema, digest, description, allowed, rule, reason, reason_code, state)
     VALUES (${[
       ...[
         text(id),
         text(review),
         index,
         text("t"),
         text("m"),
         text(action.toolCallId),
         json(call),
       ],
       ...[full ? json(schema) : "NULL", full ? json(schema) : "NULL", text(action.digest)],
       ...[full ? text('It\'s "big"') : "NULL", json(action.allowedDecisions), text(action.rule)],
       ...[text(action.reason), text(action.reasonCode), json(state)],
     ].join(", ")});`;
  return `INSERT INTO ${schemaName}reviews (id, version, thread_id, agent, agent_path, parent_call, turn_id,
      interrupt_id, raised, cause, asked_for, status, created_at, settled_at, closed_because, added_messages, deadline_at)
    VALUES ('rev_full', 3, 't', 'lead', '["lead","writer"]', '{"toolCallId":"c","name":"task"}', 'm', 'i',
      ${json(raised)}, 'policy', 'Pay "all"', 'closed', '${at}', '${at}', 'withdrawn', '[{"role":"ai"}]', '${at}'),
      ('rev_bare', 1, 't', 'lead', NULL, NULL, 'm', 'j', ${json(raised)}, 'policy', NULL, 'open', '${at}', NULL, NULL,
      NULL, NULL);
    ${actionRow("act_b", "rev_full", 1, false, { status: "closed" })}
    ${actionRow("act_a", "rev_full", 0, true, decided)}
    ${actionRow("act_c", "rev_bare", 0, false, { status: "open" })}`;
}

/** What these rows say. */
export const oldReviewsRead: readonly Review[] = [
  {
    id: "rev_full",
    version: 3,
    threadId: "t",
    agent: "lead",
    agentPath: ["lead", "writer"],
    parentCall: { toolCallId: "c", name: "task" },
    turnId: "m",
    interruptId: "i",
    raised,
    cause: "policy",
    askedFor: 'Pay "all"',
    createdAt: at,
    deadline: { at, outcome: "rejected" },
    addedMessages: [{ role: "ai" }],
    actions: [
      {
        ...action,
        id: "act_a",
        argsSchema: schema,
        answerSchema: schema,
        description: 'It\'s "big"',
        state: decided,
      },
      { ...action, id: "act_b", state: { status: "closed" } },
    ],
    state: { status: "closed", settledAt: at, because: "withdrawn" },
  },
  {
    id: "rev_bare",
    version: 1,
    threadId: "t",
    agent: "lead",
    turnId: "m",
    interruptId: "j",
    raised,
    cause: "policy",
    createdAt: at,
    actions: [{ ...action, id: "act_c", state: { status: "open" } }],
    state: { status: "open" },
  },
];

/** Approves the one that is open and starts its call; says how each went. */
export async function decideOldReview(
  engine: Pick<Engine, "decide" | "startPermit">,
): Promise<readonly string[]> {
  const decisions = [{ actionId: "act_c", decision: { type: "approve" } }] as const;
  const decided = await engine.decide({ reviewId: "rev_bare", decisions, reviewer: anna });
  const started = await engine.startPermit("act_c", action.digest);
  return [decided.type, started.type];
}
