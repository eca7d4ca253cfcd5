import type { Action, Review, ReviewId } from "@holdpoint/core";
import { reviewFrom } from "../rows/review-row.ts";
import { optionalJson, optionalText, type Row } from "../rows/row.ts";
import type { Statements } from "./statements.ts";
import type { Reading, ReviewQuery, ReviewSave, Writing } from "../storage.ts";

const reviewColumns = `seq, id, version, thread_id, agent, turn_id, interrupt_id, raised, cause,
  asked_for, agent_path, parent_call, status, created_at, settled_at, closed_because, added_messages, deadline_at`;

type ReviewReading = Pick<
  Reading,
  | "findReview"
  | "findReviews"
  | "findReviewOfInterrupt"
  | "listReviews"
  | "openReviewsOf"
  | "nextDeadline"
>;
type ReviewWriting = Pick<
  Writing,
  "insertReview" | "saveReviews" | "insertDecisions" | "overdueReviews"
>;

/** Reads reviews with their actions. */
export function readReviews(sql: Statements): ReviewReading {
  const load = (text: string, ...values: readonly string[]): readonly Review[] =>
    sql.atOnce(() => reviewsFrom(sql.all(text, ...values), sql));
  return {
    findReview: async (id) => load(`SELECT ${reviewColumns} FROM reviews WHERE id = ?`, id)[0],
    findReviews: async (ids) => {
      const found = load(
        `SELECT ${reviewColumns} FROM reviews WHERE id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(ids),
      );
      return new Map(found.map((review) => [review.id, review]));
    },
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
    nextDeadline: async () => {
      const row = sql.get(
        `SELECT deadline_at FROM reviews WHERE status = 'open' AND deadline_at IS NOT NULL
         ORDER BY deadline_at LIMIT 1`,
      );
      return optionalText(row?.deadline_at);
    },
  };
}

/** Writes reviews, their actions and the decisions on them. */
export function writeReviews(sql: Statements, now: string): ReviewWriting {
  return {
    overdueReviews: async (limit, except = []) =>
      sql
        .all(
          `SELECT id FROM reviews
           WHERE status = 'open' AND deadline_at IS NOT NULL AND deadline_at <= ?
             AND id NOT IN (SELECT value FROM json_each(?))
           ORDER BY deadline_at, id LIMIT ?`,
          now,
          JSON.stringify(except),
          limit,
        )
        .map((row) => row.id as ReviewId), // written by us under this type
    insertReview: async (review) => {
      sql.run(
        `INSERT INTO reviews (id, version, thread_id, agent, turn_id, interrupt_id, raised, cause, asked_for,
           agent_path, parent_call, status, created_at, deadline_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
        review.deadline?.at,
      );
      review.actions.forEach((action, index) => insertAction(review, action, index, sql));
    },
    saveReviews: async (saves) => saves.every((save) => saveReview(save, sql)),
    insertDecisions: async (rows) => {
      for (const row of rows) {
        sql.run(
          `INSERT INTO decisions (id, action_id, reviewer, digest, decision, at) VALUES (?, ?, ?, ?, ?, ?)`,
          row.id,
          row.actionId,
          row.reviewer.id,
          row.digest,
          JSON.stringify(row.decision),
          row.at,
        );
      }
    },
  };
}

/** The interrupt is named only where it may have changed: naming it would rewrite its index. */
function saveReview({ review, over }: ReviewSave, sql: Statements): boolean {
  const { state } = review;
  const raised = [review.interruptId, JSON.stringify(review.raised)];
  const changed = sql.run(
    `UPDATE reviews SET version = ?, status = ?, settled_at = ?, closed_because = ?, added_messages = ?
       ${state.status === "open" ? ", interrupt_id = ?, raised = ?" : ""}
     WHERE id = ? AND version = ?`,
    review.version,
    state.status,
    state.status === "open" ? undefined : state.settledAt,
    state.status === "closed" ? state.because : undefined,
    optionalJson(review.addedMessages),
    ...(state.status === "open" ? raised : []),
    review.id,
    over,
  );
  if (changed === 0) return false;
  for (const action of review.actions)
    sql.run(`UPDATE actions SET state = ? WHERE id = ?`, JSON.stringify(action.state), action.id);
  return true;
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
    reviews: reviewsFrom(shown, sql),
    ...(rows.length > query.limit && last !== undefined ? { next: String(last.place) } : {}),
  };
}

function splitCursor(cursor: string | undefined): readonly [string, string] {
  const [first = "", second] = (cursor ?? "").split("#");
  return second === undefined ? ["", first] : [first, second];
}

/** One statement for the actions of all of them. */
function reviewsFrom(rows: readonly Row[], sql: Statements): readonly Review[] {
  if (rows.length === 0) return [];
  const actions = sql.all(
    `SELECT * FROM actions WHERE review_id IN (SELECT value FROM json_each(?)) ORDER BY review_id, idx`,
    JSON.stringify(rows.map((row) => row.id)),
  );
  const actionsOf = Map.groupBy(actions, (row) => row.review_id);
  return rows.map((row) => reviewFrom(row, actionsOf.get(row.id) ?? []));
}
