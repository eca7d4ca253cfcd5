import {
  type ActionId,
  type Call,
  type DecideResult,
  digestJson,
  type Holdpoint,
  HoldpointError,
  type JsonObject,
  type JudgeCall,
  type NamedDecision,
  type Permit,
  type Refusal,
  type Review,
  type ReviewDraft,
  type ReviewEffect,
  type ReviewId,
  type ReviewView,
  transition,
  type Verdict,
  viewOf,
} from "@holdpoint/core";
import { appendAudit } from "./audit.ts";
import { failpoint } from "./failpoint.ts";
import { newId } from "./ids.ts";
import type { Reading, ReviewQuery, Storage, Writing } from "./storage/storage.ts";

/** What reviews tell the rest of the process after a commit. */
export type ReviewSignals = { readonly threadResumable: (threadId: string) => void };

/** Decisions on the actions of one review. */
export type DecideRequest = Parameters<Holdpoint["decide"]>[0];

type Recorded = Extract<DecideResult, { type: "recorded" }>;

/** What became of decisions on several reviews. */
export type DecideAllResult =
  | { readonly type: "recorded"; readonly results: readonly Recorded[] }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** Opening, reading and deciding reviews. */
export type Reviews = Pick<
  Holdpoint,
  "openReview" | "findAction" | "readReview" | "openReviewsOf" | "decide" | "registerAgent"
> & {
  readonly view: (id: ReviewId) => Promise<ReviewView | undefined>;
  readonly list: (
    query: ReviewQuery,
  ) => Promise<{ readonly reviews: readonly ReviewView[]; readonly next?: string }>;
  readonly openOf: (threadId: string) => Promise<readonly ReviewView[]>;
  readonly findOfInterrupt: (
    threadId: string,
    interruptId: string,
  ) => Promise<ReviewView | undefined>;
  /** Decides several reviews in one transaction: all of them or, with a refusal, none. */
  readonly decideAll: (requests: readonly DecideRequest[]) => Promise<DecideAllResult>;
  /** Closes a review that nobody needs to answer any more. */
  readonly close: (id: ReviewId, because: string) => Promise<void>;
};

/** Each change is load → transition → save, with its audit event and effects, in one transaction. */
export function createReviews(storage: Storage, signals: ReviewSignals): Reviews {
  const judges = new Map<string, JudgeCall>();
  return {
    openReview: (draft) => storage.write((writing) => openReview(writing, draft)),
    findAction: (key) => storage.read((reading) => reading.findAction(key)),
    readReview: (id) => storage.read((reading) => reading.findReview(id)),
    openReviewsOf: (threadId) => storage.read((reading) => reading.openReviewsOf(threadId)),
    view: (id) =>
      storage.read(async (reading) => {
        const review = await reading.findReview(id);
        return review === undefined ? undefined : view(reading, review);
      }),
    list: (query) =>
      storage.read(async (reading) => {
        const page = await reading.listReviews(query);
        const reviews = await Promise.all(page.reviews.map((review) => view(reading, review)));
        return page.next === undefined ? { reviews } : { reviews, next: page.next };
      }),
    openOf: (threadId) =>
      storage.read(async (reading) =>
        Promise.all((await reading.openReviewsOf(threadId)).map((review) => view(reading, review))),
      ),
    findOfInterrupt: (threadId, interruptId) =>
      storage.read(async (reading) => {
        const review = await reading.findReviewOfInterrupt(threadId, interruptId);
        return review === undefined ? undefined : view(reading, review);
      }),
    decide: async (request) => {
      const result = await decideAll(storage, judges, [request]);
      announce(result, signals);
      return result.type === "refused" ? result : firstOf(result.results, request.reviewId);
    },
    decideAll: async (requests) => {
      const result = await decideAll(storage, judges, requests);
      announce(result, signals);
      return result;
    },
    close: async (id, because) => {
      await storage.write(async (writing) => {
        const review = await writing.findReview(id);
        if (review === undefined) return;
        const change = transition(review, { type: "close", because }, writing.now);
        if (change.type === "changed") await save(writing, review, change.review, change.effects);
      });
    },
    registerAgent: (agent, judge) => void judges.set(agent, judge),
  };
}

/** Stores a new review with its first audit event; the same id, or the same interrupt, again returns the first. */
export async function openReview(writing: Writing, draft: ReviewDraft): Promise<Review> {
  const known =
    (await writing.findReview(draft.id)) ??
    (await writing.findReviewOfInterrupt(draft.threadId, draft.interruptId));
  if (known !== undefined) return known;
  const review: Review = {
    ...draft,
    version: 1,
    createdAt: writing.now,
    state: { status: "open" },
  };
  await writing.insertReview(review);
  await appendAudit(writing, review.id, {
    type: "review.opened",
    body: {
      threadId: review.threadId,
      agent: review.agent,
      cause: review.cause,
      actions: review.actions.map((action) => ({
        id: action.id,
        tool: action.call.name,
        digest: action.digest,
        rule: action.rule,
      })),
    },
  });
  return review;
}

async function decideAll(
  storage: Storage,
  judges: ReadonlyMap<string, JudgeCall>,
  requests: readonly DecideRequest[],
): Promise<DecideAllResult> {
  const verdicts = new Map<ActionId, Verdict>();
  for (const { reviewId, decisions } of requests) {
    const review = await storage.read((reading) => reading.findReview(reviewId));
    if (review === undefined) return refused(reviewNotFound(reviewId));
    for (const [id, verdict] of await judgeEdits(judges.get(review.agent), review, decisions))
      verdicts.set(id, verdict);
  }
  try {
    const results = await storage.write(async (writing) => {
      const recorded: Recorded[] = [];
      for (const request of requests) {
        const result = await decideOne(writing, request, verdicts);
        if (result.type === "refused") throw new RefusedBatch(result.refusal);
        recorded.push(result);
      }
      return recorded;
    });
    failpoint("decide.after_commit");
    return { type: "recorded", results };
  } catch (error) {
    if (error instanceof RefusedBatch) return refused(error.refusal);
    throw error;
  }
}

/** Takes a transaction back because one of its decisions was refused. Never leaves this file. */
class RefusedBatch extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

async function decideOne(
  writing: Writing,
  { reviewId, decisions, reviewer }: DecideRequest,
  editVerdicts: ReadonlyMap<ActionId, Verdict>,
): Promise<DecideResult> {
  const review = await writing.findReview(reviewId);
  if (review === undefined) return refused(reviewNotFound(reviewId));
  const change = transition(
    review,
    { type: "decide", decisions, reviewer, editVerdicts },
    writing.now,
  );
  switch (change.type) {
    case "refused":
      return change;
    case "repeated":
      return { type: "recorded", review: change.review, repeated: true };
    case "changed":
      await save(writing, review, change.review, change.effects);
      return { type: "recorded", review: change.review, repeated: false };
    default:
      return change satisfies never;
  }
}

function announce(result: DecideAllResult, signals: ReviewSignals): void {
  if (result.type === "refused") return;
  for (const { review, repeated } of result.results) {
    if (!repeated && review.state.status === "decided") signals.threadResumable(review.threadId);
  }
}

function firstOf(results: readonly Recorded[], reviewId: ReviewId): DecideResult {
  return results[0] ?? refused(reviewNotFound(reviewId));
}

async function save(
  writing: Writing,
  before: Review,
  after: Review,
  effects: readonly ReviewEffect[],
): Promise<void> {
  if (!(await writing.saveReview(after, before.version))) {
    // Only another process can come between the read and the save of one transaction; it must retry.
    throw new HoldpointError(
      "internal",
      `Review ${before.id} changed at the same moment; send the decision again.`,
    );
  }
  for (const effect of effects) await perform(writing, after, effect);
}

async function perform(writing: Writing, review: Review, effect: ReviewEffect): Promise<void> {
  switch (effect.type) {
    case "decision.recorded":
      return writing.insertDecision({
        id: newId("dec"),
        actionId: effect.actionId,
        reviewer: effect.reviewer,
        digest: digestJson(JSON.parse(JSON.stringify(effect.decision)) as JsonObject), // drops absent fields
        decision: effect.decision,
        at: effect.at,
      });
    case "permit.issued":
      return writing.insertPermit({
        actionId: effect.actionId,
        digest: effect.digest,
        fence: 0,
        state: { status: "unused" },
      } satisfies Permit);
    case "audited":
      return appendAudit(writing, review.id, effect.event);
    case "thread.resumable":
      return continueThread(writing, review.threadId);
    default:
      return effect satisfies never;
  }
}

/** A hosted thread gets a run that continues it; a thread that somebody else hosts is resumed by them. */
async function continueThread(writing: Writing, threadId: string): Promise<void> {
  if ((await writing.findThread(threadId)) === undefined) return;
  await writing.insertRun({
    id: newId("run"),
    threadId,
    kind: "continue",
    status: "queued",
    attempts: 0,
    fence: 0,
    createdAt: writing.now,
  });
}

async function judgeEdits(
  judge: JudgeCall | undefined,
  review: Review,
  decisions: readonly NamedDecision[],
): Promise<ReadonlyMap<ActionId, Verdict>> {
  const verdicts = new Map<ActionId, Verdict>();
  if (judge === undefined) return verdicts;
  for (const { actionId, decision } of decisions) {
    if (decision.type !== "edit") continue;
    const verdict = await ask(judge, decision.editedAction, review);
    if (verdict !== undefined) verdicts.set(actionId, verdict);
  }
  return verdicts;
}

/** A policy that fails gives no verdict, and without one the edit is refused. */
async function ask(judge: JudgeCall, call: Call, review: Review): Promise<Verdict | undefined> {
  try {
    return await judge(call, { threadId: review.threadId });
  } catch {
    return undefined;
  }
}

async function view(reading: Reading, review: Review): Promise<ReviewView> {
  const permits = new Map<ActionId, Permit>();
  for (const action of review.actions) {
    const found = await reading.findPermit(action.id);
    if (found !== undefined) permits.set(action.id, found.permit);
  }
  return viewOf(review, permits);
}

function refused(refusal: Refusal): { readonly type: "refused"; readonly refusal: Refusal } {
  return { type: "refused", refusal };
}

function reviewNotFound(id: string): Refusal {
  return {
    code: "review_not_found",
    message: `There is no review ${id}; look in the inbox for the ones that are open.`,
    details: { reviewId: id },
  };
}
