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

type ReviewReading = Pick<
  Reading,
  "findReview" | "findReviewOfInterrupt" | "listReviews" | "openReviewsOf"
>;
type ReviewWriting = Pick<Writing, "insertReview" | "saveReview" | "insertDecision">;

/** Reads reviews with their actions. */
export function readReviews(sql: Statements): ReviewReading {
  const load = async (text: string, ...values: readonly string[]): Promise<readonly Review[]> =>
    reviewsFrom(await sql.all(text, ...values), sql);
  return {
    findReview: async (id) => (await load(`SELECT * FROM holdpoint.reviews WHERE id = $1`, id))[0],
    findReviewOfInterrupt: async (threadId, interruptId) =>
      (
        await load(
          `SELECT * FROM holdpoint.reviews WHERE thread_id = $1 AND interrupt_id = $2`,
          threadId,
          interruptId,
        )
      )[0],
    listReviews: (query) => page(query, sql),
    openReviewsOf: (threadId) =>
      load(
        `SELECT * FROM holdpoint.reviews WHERE thread_id = $1 AND status = 'open' ORDER BY seq`,
        threadId,
      ),
  };
}

/** Writes reviews, their actions and the decisions on them. */
export function writeReviews(sql: Statements): ReviewWriting {
  return {
    insertReview: async (review) => {
      await sql.run(
        `INSERT INTO holdpoint.reviews (id, version, thread_id, agent, turn_id, interrupt_id, raised, cause,
           asked_for, agent_path, parent_call, status, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
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
      for (const [index, action] of review.actions.entries())
        await insertAction(review, action, index, sql);
    },
    saveReview: async (review, expectedVersion) => {
      const settled = review.state.status === "open" ? undefined : review.state.settledAt;
      const because = review.state.status === "closed" ? review.state.because : undefined;
      const changed = await sql.run(
        `UPDATE holdpoint.reviews SET version = $1, interrupt_id = $2, raised = $3, status = $4,
           settled_at = $5, closed_because = $6, added_messages = $7
         WHERE id = $8 AND version = $9`,
        review.version,
        review.interruptId,
        JSON.stringify(review.raised),
        review.state.status,
        settled,
        because,
        optionalJson(review.addedMessages),
        review.id,
        expectedVersion,
      );
      if (changed === 0) return false;
      await sql.run(
        `UPDATE holdpoint.actions AS action SET state = saved.state
         FROM unnest($1::text[], $2::text[]) AS saved (id, state) WHERE action.id = saved.id`,
        review.actions.map((action) => action.id),
        review.actions.map((action) => JSON.stringify(action.state)),
      );
      return true;
    },
    insertDecision: async (row) => {
      await sql.run(
        `INSERT INTO holdpoint.decisions (id, action_id, reviewer, digest, decision, at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
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

async function insertAction(
  review: Review,
  action: Action,
  index: number,
  sql: Statements,
): Promise<void> {
  await sql.run(
    `INSERT INTO holdpoint.actions (id, review_id, idx, thread_id, turn_id, tool_call_id, call, args_schema,
       answer_schema, digest, description, allowed, rule, reason, reason_code, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
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
async function page(
  query: ReviewQuery,
  sql: Statements,
): Promise<{ reviews: readonly Review[]; next?: string }> {
  const rows = await (query.status === "open" ? openPage : settledPage)(query, sql);
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    reviews: await reviewsFrom(shown, sql),
    ...(rows.length > query.limit && last !== undefined ? { next: placeOf(last) } : {}),
  };
}

/** One row more than asked for, to know whether there is a next page. */
function openPage(query: ReviewQuery, sql: Statements): Promise<readonly Row[]> {
  const newest = query.order === "newest";
  const [, seq] = splitCursor(query.cursor);
  return sql.all(
    newest
      ? `SELECT * FROM holdpoint.reviews WHERE status = 'open' AND ($1::bigint IS NULL OR seq < $1)
         ORDER BY seq DESC LIMIT $2`
      : `SELECT * FROM holdpoint.reviews WHERE status = 'open' AND ($1::bigint IS NULL OR seq > $1)
         ORDER BY seq LIMIT $2`,
    seq,
    query.limit + 1,
  );
}

function settledPage(query: ReviewQuery, sql: Statements): Promise<readonly Row[]> {
  const newest = query.order === "newest";
  const [settledAt, seq] = splitCursor(query.cursor);
  return sql.all(
    newest
      ? `SELECT * FROM holdpoint.reviews WHERE status <> 'open'
           AND ($2::bigint IS NULL OR (settled_at, seq) < ($1, $2))
         ORDER BY settled_at DESC, seq DESC LIMIT $3`
      : `SELECT * FROM holdpoint.reviews WHERE status <> 'open'
           AND ($2::bigint IS NULL OR (settled_at, seq) > ($1, $2))
         ORDER BY settled_at, seq LIMIT $3`,
    settledAt,
    seq,
    query.limit + 1,
  );
}

/** The form is that of SQLite's cursors: digits of one width, after the time where there is one. */
function placeOf(row: Row): string {
  const seq = String(row["seq"]).padStart(20, "0");
  return row["status"] === "open" ? seq : `${String(row["settled_at"])}#${seq}`;
}

/** The digits of a cursor that somebody else made may be none: then the page is the one after 0. */
function splitCursor(cursor: string | undefined): readonly [string, string | undefined] {
  if (cursor === undefined) return ["", undefined];
  const [first = "", second] = cursor.split("#");
  const [settledAt, seq] = second === undefined ? ["", first] : [first, second];
  return [settledAt, /^[0-9]{1,18}$/.test(seq.replace(/^0+(?=.)/, "")) ? seq : "0"];
}

/** One statement for the actions of all of them. */
async function reviewsFrom(rows: readonly Row[], sql: Statements): Promise<readonly Review[]> {
  if (rows.length === 0) return [];
  const actions = await sql.all(
    `SELECT * FROM holdpoint.actions WHERE review_id = ANY ($1) ORDER BY review_id, idx`,
    rows.map((row) => String(row["id"])),
  );
  const actionsOf = Map.groupBy(actions, (row) => String(row["review_id"]));
  return rows.map((row) => reviewFrom(row, actionsOf.get(String(row["id"])) ?? []));
}

function reviewFrom(row: Row, actions: readonly Row[]): Review {
  const askedFor = optionalText(row["asked_for"]);
  const added = optionalText(row["added_messages"]);
  return {
    id: row["id"] as ReviewId, // written by us under this type, as are the casts below
    version: Number(row["version"]),
    threadId: String(row["thread_id"]),
    agent: String(row["agent"]),
    ...provenanceFrom(row),
    turnId: String(row["turn_id"]),
    interruptId: String(row["interrupt_id"]),
    raised: JSON.parse(String(row["raised"])) as Raised,
    cause: row["cause"] as Cause,
    ...(askedFor === undefined ? {} : { askedFor }),
    createdAt: String(row["created_at"]),
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
