import {
  type ActionId,
  type DecideResult,
  type Digest,
  type Permit,
  type PermitResult,
  type Review,
  type ReviewDraft,
  type ReviewEffect,
  type ReviewId,
  type ReviewTransition,
  transition,
  transitionPermit,
  type Verdict,
} from "@holdpoint/core";
import type { DecideRequest } from "../reviews/decide-request.ts";
import { announce, free, giveBack, type Outbox } from "./outbox.ts";

/** Milliseconds that a lease holds without being renewed. */
const leaseFor = 15_000;

/** `kept` while its owner still works on what it is for, and so renews it. */
type ModelLease = { readonly owner: string; readonly until: number; readonly kept: boolean };
type ModelPermit = { permit: Permit; lease: ModelLease | undefined };
type ModelRun = {
  readonly threadId: string;
  status: "queued" | "running" | "completed";
  attempts: number;
  fence: number;
  lease: ModelLease | undefined;
};

/** Everything a database should hold, in plain maps; nothing is lost here, because nothing can be. */
export type Model = {
  now: number;
  readonly reviews: Map<ReviewId, Review>;
  readonly permits: Map<ActionId, ModelPermit>;
  /** The types of the audit events of each stream. */
  readonly audit: Map<string, string[]>;
  readonly hosted: Set<string>;
  readonly runs: ModelRun[];
  readonly outbox: Outbox;
  /** The owners of leases whose processes have ended. */
  readonly dead: Set<string>;
};

/** An empty database at a moment. */
export function emptyModel(now: string): Model {
  return {
    now: Date.parse(now),
    reviews: new Map(),
    permits: new Map(),
    audit: new Map(),
    hosted: new Set(),
    runs: [],
    outbox: { topics: new Set(), deliveries: [] },
    dead: new Set(),
  };
}

/** What policy says of every edit in this model. */
export const editVerdict: Verdict = {
  type: "allow",
  rule: "model",
  reason: "The model allows it.",
};

/** Opens a review; a hosted thread is continued by a run. */
export function open(model: Model, draft: ReviewDraft, hosted: boolean): Review {
  const review: Review = {
    ...draft,
    version: 1,
    createdAt: time(model),
    state: { status: "open" },
  };
  model.reviews.set(review.id, review);
  if (hosted) model.hosted.add(review.threadId);
  audit(model, review.id, "review.opened");
  announce(model.outbox, "review.opened", review.id, model.now);
  return review;
}

/** Decides as the pure rules say. */
export function decide(model: Model, request: DecideRequest): DecideResult {
  const review = required(model.reviews.get(request.reviewId));
  const editVerdicts = new Map(review.actions.map(({ id }) => [id, editVerdict]));
  const change = transition(review, { type: "decide", ...request, editVerdicts }, time(model));
  if (change.type === "refused") return change;
  apply(model, change);
  return { type: "recorded", review: change.review, repeated: change.type === "repeated" };
}

/** Closes a review that nobody needs to answer any more. */
export function close(model: Model, id: ReviewId, because: string): void {
  const review = required(model.reviews.get(id));
  apply(model, transition(review, { type: "close", because }, time(model)));
}

/** Expires what is overdue, earliest first; everybody may, as soon as the clock says so. */
export function expire(model: Model): readonly ReviewId[] {
  const overdue = [...model.reviews.values()]
    .filter(({ state, deadline }) => state.status === "open" && isPast(model, deadline?.at))
    .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  for (const review of overdue) apply(model, transition(review, { type: "expire" }, time(model)));
  return overdue.map(({ id }) => id);
}

function isPast(model: Model, at: string | undefined): boolean {
  return at !== undefined && Date.parse(at) <= model.now;
}

function orderOf({ deadline, id }: Review): string {
  return `${deadline?.at} ${id}`;
}

function apply(model: Model, change: ReviewTransition): void {
  if (change.type !== "changed") return;
  const { id, state } = change.review;
  model.reviews.set(id, change.review);
  if (state.status !== "open") announce(model.outbox, "review.settled", id, model.now);
  for (const effect of change.effects) perform(model, change.review, effect);
}

function perform(model: Model, review: Review, effect: ReviewEffect): void {
  switch (effect.type) {
    case "audited":
      return audit(model, review.id, effect.event.type);
    case "permit.issued":
      return issue(model, effect.actionId, effect.digest);
    case "permit.revoked":
      return revoke(model, review, effect.actionId);
    case "thread.resumable":
      if (model.hosted.has(review.threadId))
        model.runs.push({
          threadId: review.threadId,
          status: "queued",
          attempts: 0,
          fence: 0,
          lease: undefined,
        });
      return;
    case "decision.recorded":
      return;
    default:
      effect satisfies never;
  }
}

function issue(model: Model, actionId: ActionId, digest: Digest): void {
  const permit: Permit = { actionId, digest, fence: 0, state: { status: "unused" } };
  model.permits.set(actionId, { permit, lease: undefined });
}

function revoke(model: Model, review: Review, actionId: ActionId): void {
  const held = required(model.permits.get(actionId));
  const change = transitionPermit(held.permit, { type: "revoke" }, time(model));
  if (change.type === "refused") return;
  model.permits.set(actionId, { permit: change.permit, lease: undefined });
  audit(model, review.id, "permit.revoked");
}

/** Changes a permit as the pure rules say, and takes or gives up its lease. */
export function changePermit(
  model: Model,
  owner: string,
  review: Review,
  actionId: ActionId,
  command: Parameters<typeof transitionPermit>[1],
): PermitResult["type"] {
  const held = model.permits.get(actionId);
  if (held === undefined) return "refused";
  const isLeaseLost = command.type === "lose" && command.fence === undefined;
  if (isLeaseLost && !isOver(model, held.lease, owner)) return "refused";
  const change = transitionPermit(held.permit, command, time(model));
  if (change.type === "refused") {
    audit(model, review.id, "permit.refused");
    return "refused";
  }
  const { permit } = change;
  const lease = permit.state.status === "started" ? leaseOf(model, owner) : undefined;
  model.permits.set(actionId, { permit, lease });
  audit(model, review.id, `permit.${permit.state.status}`);
  return "done";
}

/** True when somebody who waits for this permit would be answered now. */
export function isWaitOver(model: Model, owner: string, actionId: ActionId): boolean {
  const held = model.permits.get(actionId);
  return held?.permit.state.status !== "started" || isOver(model, held.lease, owner);
}

/** Takes the next due run, and first renews what its owner works on; that may be what was due. */
export function claim(model: Model, owner: string): ModelRun | undefined {
  if (dueRun(model, owner) === undefined) return undefined;
  const mine = [...model.permits.values(), ...model.runs].filter(
    ({ lease }) => lease?.owner === owner && lease.kept,
  );
  for (const held of mine) held.lease = leaseOf(model, owner);
  const due = dueRun(model, owner);
  if (due === undefined) return undefined;
  due.status = "running";
  due.attempts += 1;
  due.fence += 1;
  due.lease = leaseOf(model, owner);
  return { ...due };
}

/** The first run that waits for a worker, with no earlier one of its thread before it. */
function dueRun(model: Model, owner: string): ModelRun | undefined {
  const waits = (run: ModelRun): boolean =>
    run.status === "queued" || (run.status === "running" && isOver(model, run.lease, owner));
  return model.runs.find(
    (run, index) =>
      waits(run) &&
      !model.runs
        .slice(0, index)
        .some((one) => one.threadId === run.threadId && one.status !== "completed"),
  );
}

/** Ends a run for whoever holds its newest fence. */
export function end(model: Model, index: number, fence: number): "stored" | "lost" {
  const run = required(model.runs[index]);
  if (run.fence !== fence) {
    if (run.lease !== undefined) run.lease = { ...run.lease, kept: false };
    return "lost";
  }
  run.status = "completed";
  run.lease = undefined;
  return "stored";
}

/**
 * Ends a process, and starts another: nobody renews the leases of the dead, and whoever starts sees to it
 * that they are over, also those that lie ahead again because the clock was set back.
 */
export function crash(model: Model, owner: string, isDeath: boolean): void {
  const { now, dead, outbox } = model;
  dead.add(owner);
  if (!isDeath) giveBack(outbox, owner, now);
  free(outbox, dead, now);
  for (const held of [...model.permits.values(), ...model.runs]) {
    if (held.lease === undefined || !dead.has(held.lease.owner)) continue;
    held.lease = { ...held.lease, until: Math.min(held.lease.until, now), kept: false };
  }
}

/** The model's time as it is stored. */
export function time(model: Model): string {
  return new Date(model.now).toISOString();
}

function leaseOf(model: Model, owner: string): ModelLease {
  return { owner, until: model.now + leaseFor, kept: true };
}

/** A process that stood still for longer than a lease has not lost what it runs itself. */
function isOver(model: Model, lease: ModelLease | undefined, self: string): boolean {
  const isOwn = lease?.owner === self && lease.kept;
  return lease === undefined || (!isOwn && lease.until <= model.now);
}

function audit(model: Model, stream: string, type: string): void {
  model.audit.set(stream, [...(model.audit.get(stream) ?? []), type]);
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("The model has no such thing.");
  return value;
}
