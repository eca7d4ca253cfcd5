import type { Action, Review, ReviewId } from "@holdpoint/core";
import { reviewFrom } from "../rows/review-row.ts";
import { optionalJson, optionalText, type Row } from "../rows/row.ts";
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

/** Reads reviews with their actions. */
export function readReviews(sql: Statements): ReviewReading {
  const load = async (text: string, ...values: readonly string[]): Promise<readonly Review[]> =>
    reviewsFrom(await sql.all(text, ...values), sql);
  return {
    findReview: async (id) => (await load(`SELECT * FROM holdpoint.reviews WHERE id = $1`, id))[0],
    findReviews: async (ids) => {
      const rows = await sql.all(`SELECT * FROM holdpoint.reviews WHERE id = ANY ($1)`, ids);
      return new Map((await reviewsFrom(rows, sql)).map((review) => [review.id, review]));
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
        `INSERT INTO holdpoint.reviews (id, version, thread_id, agent, turn_id, interrupt_id, raised, cause,
           asked_for, agent_path, parent_call, status, created_at, deadline_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
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
      for (const [index, action] of review.actions.entries())
        await insertAction(review, action, index, sql);
    },
    saveReviews: async (saves) => {
      const reviews = saves.map(({ review }) => review);
      const settled = ({ state }: Review) =>
        state.status === "open" ? undefined : state.settledAt;
      const because = ({ state }: Review) =>
        state.status === "closed" ? state.because : undefined;
      const changed = await sql.run(
        `UPDATE holdpoint.reviews AS review SET version = saved.version, interrupt_id = saved.interrupt_id,
           raised = saved.raised, status = saved.status, settled_at = saved.settled_at,
           closed_because = saved.closed_because, added_messages = saved.added_messages
         FROM unnest($1::text[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[],
           $8::text[], $9::text[]) AS saved (id, over, version, interrupt_id, raised, status, settled_at,
           closed_because, added_messages)
         WHERE review.id = saved.id AND review.version = saved.over`,
        reviews.map((review) => review.id),
        saves.map(({ over }) => over),
        reviews.map((review) => review.version),
        reviews.map((review) => review.interruptId),
        reviews.map((review) => JSON.stringify(review.raised)),
        reviews.map((review) => review.state.status),
        reviews.map(settled),
        reviews.map(because),
        reviews.map((review) => optionalJson(review.addedMessages)),
      );
      if (changed < saves.length) return false;
      const actions = reviews.flatMap((review) => review.actions);
      await sql.run(
        `UPDATE holdpoint.actions AS action SET state = saved.state
         FROM unnest($1::text[], $2::text[]) AS saved (id, state) WHERE action.id = saved.id`,
        actions.map((action) => action.id),
        actions.map((action) => JSON.stringify(action.state)),
      );
      return true;
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
