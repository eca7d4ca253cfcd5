import {
  type Action,
  type ActionId,
  type ActionState,
  type Cause,
  type Digest,
  type DecisionType,
  type JsonObject,
  type ParentCall,
  type Provenance,
  type Raised,
  type Review,
  type ReviewId,
  type ReviewState,
} from "@holdpoint/core";
import { optionalText } from "./optional-text.ts";
import type { Row, Statements } from "./statements.ts";
import type { Reading, ReviewQuery, Writing } from "../storage.ts";

const reviewColumns = `seq, id, version, thread_id, agent, turn_id, interrupt_id, raised, cause,
  asked_for, agent_path, parent_call, status, created_at, settled_at, closed_because, added_messages`;

type ReviewReading = Pick<
  Reading,
  "findReview" | "findReviewOfInterrupt" | "listReviews" | "openReviewsOf"
>;
type ReviewWriting = Pick<Writing, "insertReview" | "saveReview" | "insertDecision">;

/** Reads reviews with their actions. */
export function readReviews(sql: Statements): ReviewReading {
  const load = (text: string, ...values: readonly string[]): readonly Review[] =>
    sql.atOnce(() => sql.all(text, ...values).map((row) => reviewFrom(row, sql)));
  return {
    findReview: async (id) => load(`SELECT ${reviewColumns} FROM reviews WHERE id = ?`, id)[0],
    findReviewOfInterrupt: async (threadId, interruptId) =>
      load(
        `SELECT ${reviewColumns} FROM reviews WHERE thread_id = ? AND interrupt_id = ?`,
        threadId,
        interruptId,
      )[0],
    listReviews: async (query) => sql.atOnce(() => page(query, sql)),
    openReviewsOf: async (threadId) =>
      load(
        `SELECT ${reviewColumns} FROM reviews WHERE thread_id = ? AND status = 'open' ORDER BY seq`,
        threadId,
      ),
  };
}

/** Writes reviews, their actions and the decisions on them. */
export function writeReviews(sql: Statements): ReviewWriting {
  return {
    insertReview: async (review) => {
      sql.run(
        `INSERT INTO reviews (id, version, thread_id, agent, turn_id, interrupt_id, raised, cause, asked_for,
           agent_path, parent_call, status, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        review.id,
        review.version,
        review.threadId,
        review.agent,
        review.turnId,
        review.interruptId,
        JSON.stringify(review.raised),
        review.cause,
        review.askedFor,
        optionalJson(review.agentPath),
        optionalJson(review.parentCall),
        review.state.status,
        review.createdAt,
      );
      review.actions.forEach((action, index) => insertAction(review, action, index, sql));
    },
    saveReview: async (review, expectedVersion) => {
      const settled = review.state.status === "open" ? undefined : review.state.settledAt;
      const because = review.state.status === "closed" ? review.state.because : undefined;
      const changed = sql.run(
        `UPDATE reviews SET version = ?, interrupt_id = ?, raised = ?, status = ?, settled_at = ?, closed_because = ?, added_messages = ?
         WHERE id = ? AND version = ?`,
        review.version,
        review.interruptId,
        JSON.stringify(review.raised),
        review.state.status,
        settled,
        because,
        review.addedMessages === undefined ? undefined : JSON.stringify(review.addedMessages),
        review.id,
        expectedVersion,
      );
      if (changed === 0) return false;
      for (const action of review.actions) {
        sql.run(
          `UPDATE actions SET state = ? WHERE id = ?`,
          JSON.stringify(action.state),
          action.id,
        );
      }
      return true;
    },
    insertDecision: async (row) => {
      sql.run(
        `INSERT INTO decisions (id, action_id, reviewer, digest, decision, at) VALUES (?, ?, ?, ?, ?, ?)`,
        row.id,
        row.actionId,
        row.reviewer.id,
        row.digest,
        JSON.stringify(row.decision),
        row.at,
      );
    },
  };
}

function optionalJson(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function insertAction(review: Review, action: Action, index: number, sql: Statements): void {
  sql.run(
    `INSERT INTO actions (id, review_id, idx, thread_id, turn_id, tool_call_id, call, args_schema, answer_schema,
       digest, description, allowed, rule, reason, reason_code, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    action.id,
    review.id,
    index,
    review.threadId,
    review.turnId,
    action.toolCallId,
    JSON.stringify(action.call),
    optionalJson(action.argsSchema),
    optionalJson(action.answerSchema),
    action.digest,
    action.description,
    JSON.stringify(action.allowedDecisions),
    action.rule,
    action.reason,
    action.reasonCode,
    JSON.stringify(action.state),
  );
}

/** Open reviews page by age, settled ones by when they were settled; the cursor is the last row's place. */
function page(query: ReviewQuery, sql: Statements): { reviews: readonly Review[]; next?: string } {
  const open = query.status === "open";
  const place = open ? "printf('%020d', seq)" : "settled_at || '#' || printf('%020d', seq)";
  const [compare, order] = query.order === "newest" ? ["<", "DESC"] : [">", "ASC"];
  const by = open ? `seq ${order}` : `settled_at ${order}, seq ${order}`;
  const [settledAt, seq] = splitCursor(query.cursor);
  const after =
    query.cursor === undefined
      ? ""
      : open
        ? `AND seq ${compare} ?`
        : `AND (settled_at, seq) ${compare} (?, ?)`;
  const rows = sql.all(
    `SELECT ${reviewColumns}, ${place} AS place FROM reviews
     WHERE status ${open ? "= 'open'" : "<> 'open'"} ${after} ORDER BY ${by} LIMIT ?`,
    ...(query.cursor === undefined ? [] : open ? [Number(seq)] : [settledAt, Number(seq)]),
    query.limit + 1,
  );
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    reviews: shown.map((row) => reviewFrom(row, sql)),
    ...(rows.length > query.limit && last !== undefined ? { next: String(last.place) } : {}),
  };
}

function splitCursor(cursor: string | undefined): readonly [string, string] {
  const [first = "", second] = (cursor ?? "").split("#");
  return second === undefined ? ["", first] : [first, second];
}

function reviewFrom(row: Row, sql: Statements): Review {
  const actions = sql.all(`SELECT * FROM actions WHERE review_id = ? ORDER BY idx`, String(row.id));
  const askedFor = optionalText(row.asked_for);
  const added = optionalText(row.added_messages);
  return {
    id: row.id as ReviewId, // written by us under this type, as are the casts below
    version: Number(row.version),
    threadId: String(row.thread_id),
    agent: String(row.agent),
    ...provenanceFrom(row),
    turnId: String(row.turn_id),
    interruptId: String(row.interrupt_id),
    raised: JSON.parse(String(row.raised)) as Raised,
    cause: row.cause as Cause,
    ...(askedFor === undefined ? {} : { askedFor }),
    createdAt: String(row.created_at),
    ...(added === undefined ? {} : { addedMessages: JSON.parse(added) as JsonObject[] }),
    actions: actions.map(actionFrom),
    state: reviewStateFrom(row),
  };
}

function provenanceFrom(row: Row): Provenance {
  const agentPath = optionalText(row.agent_path);
  const parentCall = optionalText(row.parent_call);
  return {
    ...(agentPath === undefined ? {} : { agentPath: JSON.parse(agentPath) as string[] }),
    ...(parentCall === undefined ? {} : { parentCall: JSON.parse(parentCall) as ParentCall }),
  };
}

function reviewStateFrom(row: Row): ReviewState {
  const status = row.status as ReviewState["status"];
  const settledAt = String(row.settled_at);
  switch (status) {
    case "open":
      return { status };
    case "decided":
      return { status, settledAt };
    case "closed":
      return { status, settledAt, because: String(row.closed_because) };
    default:
      return status satisfies never;
  }
}

function actionFrom(row: Row): Action {
  const argsSchema = optionalText(row.args_schema);
  const answerSchema = optionalText(row.answer_schema);
  const description = optionalText(row.description);
  return {
    id: row.id as ActionId,
    toolCallId: String(row.tool_call_id),
    call: JSON.parse(String(row.call)) as Action["call"],
    ...(argsSchema === undefined ? {} : { argsSchema: JSON.parse(argsSchema) as JsonObject }),
    ...(answerSchema === undefined ? {} : { answerSchema: JSON.parse(answerSchema) as JsonObject }),
    digest: row.digest as Digest,
    ...(description === undefined ? {} : { description }),
    allowedDecisions: JSON.parse(String(row.allowed)) as DecisionType[],
    rule: String(row.rule),
    reason: String(row.reason),
    reasonCode: row.reason_code as Action["reasonCode"],
    state: JSON.parse(String(row.state)) as ActionState,
  };
}
