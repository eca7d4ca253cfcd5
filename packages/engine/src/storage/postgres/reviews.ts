import type { Action, Review, ReviewId } from "@holdpoint/core";
import { bodyOf, reviewFrom, settledAtOf, stateOf } from "../rows/review-row.ts";
import { cursorAt, placeAt } from "../rows/review-place.ts";
import { optionalText, type Row } from "../rows/row.ts";
import type { Statements } from "./statements.ts";
import type { Reading, ReviewQuery, Writing } from "../storage.ts";

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
  const load = async (text: string, ...values: readonly string[]): Promise<readonly Review[]> =>
    (await sql.all(text, ...values)).map(reviewFrom);
  return {
    findReview: async (id) => (await load(`SELECT * FROM holdpoint.reviews WHERE id = $1`, id))[0],
    findReviews: async (ids) => {
      const rows = await sql.all(`SELECT * FROM holdpoint.reviews WHERE id = ANY ($1)`, ids);
      return new Map(rows.map(reviewFrom).map((review) => [review.id, review]));
    },
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
    nextDeadline: async () => {
      const row = await sql.get(
        `SELECT deadline_at FROM holdpoint.reviews WHERE status = 'open' AND deadline_at IS NOT NULL
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
      (
        await sql.all(
          `SELECT id FROM holdpoint.reviews
           WHERE status = 'open' AND deadline_at IS NOT NULL AND deadline_at <= $1 AND id <> ALL ($2)
           ORDER BY deadline_at, id LIMIT $3 FOR UPDATE SKIP LOCKED`,
          now,
          except,
          limit,
        )
      ).map((row) => row.id as ReviewId), // written by us under this type
    insertReview: async (review) => {
      await sql.run(
        `INSERT INTO holdpoint.reviews (id, version, thread_id, interrupt_id, status, created_at, settled_at,
           deadline_at, body, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
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
      for (const [index, action] of review.actions.entries())
        await insertAction(review, action, index, sql);
    },
    saveReviews: async (saves) => {
      const reviews = saves.map(({ review }) => review);
      const changed = await sql.run(
        `UPDATE holdpoint.reviews AS review SET version = saved.version, interrupt_id = saved.interrupt_id,
           status = saved.status, settled_at = saved.settled_at, state = saved.state
         FROM unnest($1::text[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[])
           AS saved (id, over, version, interrupt_id, status, settled_at, state)
         WHERE review.id = saved.id AND review.version = saved.over`,
        reviews.map((review) => review.id),
        saves.map(({ over }) => over),
        reviews.map((review) => review.version),
        reviews.map((review) => review.interruptId),
        reviews.map((review) => review.state.status),
        reviews.map(settledAtOf),
        reviews.map(stateOf),
      );
      return changed === saves.length;
    },
    insertDecisions: async (rows) => {
      await sql.run(
        `INSERT INTO holdpoint.decisions (id, action_id, reviewer, digest, decision, at)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])`,
        rows.map((row) => row.id),
        rows.map((row) => row.actionId),
        rows.map((row) => row.reviewer.id),
        rows.map((row) => row.digest),
        rows.map((row) => JSON.stringify(row.decision)),
        rows.map((row) => row.at),
      );
    },
  };
}

async function insertAction(
  review: Review,
  action: Action,
  index: number,
  sql: Statements,
): Promise<void> {
  await sql.run(
    `INSERT INTO holdpoint.actions (id, review_id, idx, thread_id, turn_id, tool_call_id)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    action.id,
    review.id,
    index,
    review.threadId,
    review.turnId,
    action.toolCallId,
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
    reviews: shown.map(reviewFrom),
    ...(rows.length > query.limit && last !== undefined ? { next: cursorAt(last) } : {}),
  };
}

/** One row more than asked for, to know whether there is a next page. */
function openPage(query: ReviewQuery, sql: Statements): Promise<readonly Row[]> {
  const newest = query.order === "newest";
  const seq = placeAt(query.cursor)?.seq;
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
  const place = placeAt(query.cursor);
  return sql.all(
    newest
      ? `SELECT * FROM holdpoint.reviews WHERE status <> 'open'
           AND ($2::bigint IS NULL OR (settled_at, seq) < ($1, $2))
         ORDER BY settled_at DESC, seq DESC LIMIT $3`
      : `SELECT * FROM holdpoint.reviews WHERE status <> 'open'
           AND ($2::bigint IS NULL OR (settled_at, seq) > ($1, $2))
         ORDER BY settled_at, seq LIMIT $3`,
    place?.settledAt,
    place?.seq,
    query.limit + 1,
  );
}
