import {
  type ActionId,
  type JsonObject,
  type Permit,
  type PermitResult,
  type Refusal,
  transitionPermit,
} from "@holdpoint/core";
import { appendAudits, type StreamEntry } from "./audit/chain.ts";
import type { Leases } from "./due/leases.ts";
import type { Lease, PermitSave, StoredPermit, Writing } from "./storage/storage.ts";

/** What is asked of a permit. */
export type PermitCommand = Parameters<typeof transitionPermit>[1];

/** A change of one permit. */
export type PermitChange = {
  readonly actionId: ActionId;
  readonly command: PermitCommand;
  /** The same change was sent before, and nobody knows whether it was saved. */
  readonly isRepeated: boolean;
};

/** What a change is answered with, and what is written because of it. */
type Judged = {
  readonly result: PermitResult;
  readonly save?: PermitSave;
  readonly audit?: StreamEntry;
};

/** What is known as the changes of one moment are judged. */
type Moment = {
  readonly now: string;
  readonly leases: Leases;
  /** What callers before have started in this transaction, and were not told of yet. */
  readonly startedNow: ReadonlySet<ActionId>;
  /** Since when what came back with a backup may have run. */
  readonly since: ReadonlyMap<ActionId, string>;
};

/**
 * Makes the changes of one moment in the caller's transaction, with their audit events, as if they had come one
 * after the other. Resolves to one result for each.
 */
export async function changePermits(
  writing: Writing,
  leases: Leases,
  changes: readonly PermitChange[],
): Promise<readonly PermitResult[]> {
  const results = new Map<PermitChange, PermitResult>();
  const startedNow = new Set<ActionId>();
  for (const round of roundsOf(changes)) {
    const found = await writing.findPermits(round.map(({ actionId }) => actionId));
    const since = await openingsOf(writing, [...found.values()].filter(isInDoubt));
    const moment = { now: writing.now, leases, startedNow, since };
    const judged = round.map((change) => judge(found.get(change.actionId), change, moment));
    const saves = judged.flatMap(({ save }) => save ?? []);
    const saved = saves.length > 0 ? await writing.savePermits(saves) : new Set<ActionId>();
    const isLost = ({ save }: Judged): boolean =>
      save !== undefined && !saved.has(save.permit.actionId);
    await appendAudits(
      writing,
      judged.filter((one) => !isLost(one)).flatMap(({ audit }) => audit ?? []),
    );
    for (const [index, change] of round.entries()) {
      const one = judged[index] as Judged; // one for each
      const result = isLost(one) ? taken(change.actionId) : one.result;
      results.set(change, result);
      if (change.command.type === "start" && result.type === "done")
        startedNow.add(change.actionId);
    }
  }
  return changes.map((change) => results.get(change) as PermitResult); // each was in some round
}

/** Somebody else in this process runs it. */
export function taken(actionId: ActionId): PermitResult {
  return refused({
    code: "permit_refused",
    message: `Action ${actionId} was taken by another run.`,
  });
}

/**
 * True of a permit that came back with a backup: what it was used for afterwards nobody knows. It may be
 * settled as any other whose end is not known.
 */
export function isInDoubt({ permit, isOutdated }: StoredPermit): boolean {
  const { status } = permit.state;
  return (
    isOutdated === true && (status === "unused" || status === "suspended" || status === "started")
  );
}

/** A process that stood still for longer than a lease has not lost what it runs itself. */
export function isOver(
  lease: Lease | undefined,
  at: { readonly now: string; readonly leases: Leases; readonly actionId: ActionId },
): boolean {
  if (lease === undefined) return true;
  const isOurs = lease.owner === at.leases.owner && at.leases.permits.has(at.actionId);
  return !isOurs && lease.until <= at.now;
}

/** In their order, and in each round no permit twice: whoever comes later sees what came before. */
function roundsOf(changes: readonly PermitChange[]): readonly PermitChange[][] {
  const rounds: PermitChange[][] = [];
  const seen = new Map<ActionId, number>();
  for (const change of changes) {
    const round = seen.get(change.actionId) ?? 0;
    seen.set(change.actionId, round + 1);
    (rounds[round] ??= []).push(change);
  }
  return rounds;
}

/** No permit was started before its review was opened. */
async function openingsOf(
  writing: Writing,
  permits: readonly StoredPermit[],
): Promise<ReadonlyMap<ActionId, string>> {
  const since = new Map<ActionId, string>();
  for (const { permit, reviewId } of permits) {
    const [opened] = await writing.auditOf(reviewId);
    if (opened !== undefined) since.set(permit.actionId, opened.at);
  }
  return since;
}

function judge(found: StoredPermit | undefined, change: PermitChange, moment: Moment): Judged {
  const { actionId, command } = change;
  if (found === undefined) return { result: refused(noPermit(actionId)) };
  if (
    command.type === "lose" &&
    command.fence === undefined &&
    !isOver(found.lease, { ...moment, actionId })
  )
    return { result: refused(stillRunning(actionId)) };
  if (isInDoubt(found)) {
    if (command.type === "restore") return moved(found, change, moment);
    if (command.type === "start") {
      const restore: PermitCommand = { type: "restore", since: moment.now };
      return {
        ...moved(found, { ...change, command: restore }, moment),
        result: refused(restored(actionId)),
      };
    }
  }
  if (command.type === "restore") return { result: { type: "done", permit: found.permit } };
  if (isUntoldStart(found, command, moment)) {
    const { permit } = found;
    const lease = moment.leases.from(moment.now);
    return { result: { type: "done", permit }, save: { permit, over: permit, lease } };
  }
  return moved(found, change, moment);
}

function moved(
  { permit: over, reviewId }: StoredPermit,
  { actionId, command, isRepeated }: PermitChange,
  { now, leases, since }: Moment,
): Judged {
  const dated =
    command.type === "restore"
      ? { ...command, since: since.get(actionId) ?? command.since }
      : command;
  const result = transitionPermit(over, dated, now);
  if (result.type === "refused") {
    if (isRepeated && isEndOf(over, command)) return { result: { type: "done", permit: over } };
    const body = { actionId, command: command.type, status: over.state.status };
    return {
      result: refused(result.refusal),
      audit: { stream: reviewId, entry: { type: "permit.refused", body } },
    };
  }
  const { permit } = result;
  const { fence, digest, state } = permit;
  const body = { actionId, fence, digest, ...sourceOf(command, over) };
  return {
    result: { type: "done", permit },
    save: { permit, over, lease: state.status === "started" ? leases.from(now) : undefined },
    audit: { stream: reviewId, entry: { type: `permit.${state.status}`, body } },
  };
}

/** Why a permit moved as it otherwise may not: started again on the tool's word, or closed by its probe. */
function sourceOf(command: PermitCommand, before: Permit): JsonObject {
  if (command.type === "start" && before.state.status === "unknown") return { again: true };
  if (command.type === "restore") return { because: "restored" };
  return command.type === "close" && command.receipt.by !== undefined
    ? { by: command.receipt.by }
    : {};
}

/**
 * A start that this engine committed and nobody in it was told of, because the COMMIT was lost on the way
 * back. Nobody ran the tool, so whoever starts now takes it up.
 */
function isUntoldStart(
  { permit, lease }: StoredPermit,
  command: PermitCommand,
  { leases, startedNow }: Moment,
): boolean {
  return (
    command.type === "start" &&
    permit.state.status === "started" &&
    permit.digest === command.digest &&
    lease?.owner === leases.owner &&
    !leases.permits.isTaken(permit) &&
    !startedNow.has(permit.actionId)
  );
}

/** True when the run of this command has ended: sent before, it was saved after all. */
function isEndOf({ fence, state }: Permit, command: PermitCommand): boolean {
  return "fence" in command && command.fence === fence && state.status !== "started";
}

function refused(refusal: Refusal): PermitResult {
  return { type: "refused", refusal };
}

function stillRunning(actionId: ActionId): Refusal {
  return {
    code: "permit_refused",
    message: `Action ${actionId} is still running; wait for it.`,
  };
}

function restored(actionId: ActionId): Refusal {
  return {
    code: "permit_refused",
    message: `Action ${actionId} was not run: it was approved before the database was restored from a backup, and may have run since. Ask for a new review if it must run.`,
    details: { actionId, status: "unknown" },
  };
}

function noPermit(actionId: ActionId): Refusal {
  return {
    code: "permit_refused",
    message: `Action ${actionId} has no permit because nobody approved it; it was not run.`,
    details: { actionId },
  };
}
