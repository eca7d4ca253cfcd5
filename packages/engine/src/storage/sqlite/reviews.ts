import type { Action, Review, ReviewId } from "@holdpoint/core";
import { bodyOf, reviewFrom, settledAtOf, stateOf } from "../rows/review-row.ts";
import { cursorAt, placeAt } from "../rows/review-place.ts";
import { optionalText } from "../rows/row.ts";
import type { Statements } from "./statements.ts";
import type { Reading, ReviewQuery, ReviewSave, Writing } from "../storage.ts";

const reviewColumns =
  "seq, id, version, thread_id, interrupt_id, status, created_at, settled_at, deadline_at, body, state";

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

/** Reads reviews, with all that belongs to each. */
export function readReviews(sql: Statements): ReviewReading {
  const load = (text: string, ...values: readonly string[]): readonly Review[] =>
    sql.all(text, ...values).map(reviewFrom);
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
    listReviews: async (query) => page(query, sql),
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
        `INSERT INTO reviews (id, version, thread_id, interrupt_id, status, created_at, settled_at, deadline_at, body, state)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        review.id,
        review.version,
        review.threadId,
        review.interruptId,
        review.state.status,
        review.createdAt,
        settledAtOf(review),
        review.deadline?.at,
        bodyOf(review),
        stateOf(review),
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
  const isOpen = review.state.status === "open";
  const changed = sql.run(
    `UPDATE reviews SET version = ?, status = ?, settled_at = ?, state = ?${isOpen ? ", interrupt_id = ?" : ""}
     WHERE id = ? AND version = ?`,
    review.version,
    review.state.status,
    settledAtOf(review),
    stateOf(review),
    ...(isOpen ? [review.interruptId] : []),
    review.id,
    over,
  );
  return changed === 1;
}

function insertAction(review: Review, action: Action, index: number, sql: Statements): void {
  sql.run(
    `INSERT INTO actions (id, review_id, idx, thread_id, turn_id, tool_call_id) VALUES (?, ?, ?, ?, ?, ?)`,
    action.id,
    review.id,
    index,
    review.threadId,
    review.turnId,
    action.toolCallId,
  );
}

/** Open reviews page by age, settled ones by when they were settled. One row more says whether there is a next page. */
function page(query: ReviewQuery, sql: Statements): { reviews: readonly Review[]; next?: string } {
  const open = query.status === "open";
  const [compare, order] = query.order === "newest" ? ["<", "DESC"] : [">", "ASC"];
  const by = open ? `seq ${order}` : `settled_at ${order}, seq ${order}`;
  const place = placeAt(query.cursor);
  const after = open ? `AND seq ${compare} ?` : `AND (settled_at, seq) ${compare} (?, ?)`;
  const rows = sql.all(
    `SELECT ${reviewColumns} FROM reviews
     WHERE status ${open ? "= 'open'" : "<> 'open'"} ${place === undefined ? "" : after} ORDER BY ${by} LIMIT ?`,
    ...(place === undefined ? [] : [...(open ? [] : [place.settledAt]), Number(place.seq)]),
    query.limit + 1,
  );
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    reviews: shown.map(reviewFrom),
    ...(rows.length > query.limit && last !== undefined ? { next: cursorAt(last) } : {}),
  };
}
