import { setTimeout as sleep } from "node:timers/promises";
import {
  type ActionId,
  type Holdpoint,
  type JsonObject,
  type Permit,
  type PermitResult,
  type Refusal,
  refusalOf,
  transitionPermit,
} from "@holdpoint/core";
import { appendAudit, streamOf } from "./audit/chain.ts";
import { failpoint } from "./failpoint.ts";
import type { Leases } from "./due/leases.ts";
import type { Starts } from "./backup/starts.ts";
import type { Lease, Storage, StoredPermit, Writing } from "./storage/storage.ts";
import { isPerhapsSaved } from "./storage/unwell.ts";

type PermitCommand = Parameters<typeof transitionPermit>[1];

/** Consuming and closing permits. */
export type Permits = Pick<
  Holdpoint,
  "startPermit" | "suspendPermit" | "closePermit" | "abandonPermit" | "awaitPermit"
>;

/** How often a waiting caller looks whether a running tool has finished, in milliseconds. */
const pollEvery = 100;

/** How often a start is sent whose COMMIT was lost: one that took place is found, and not made again. */
const startsAtMost = 4;

/** Each change is load → transition → compare-and-set, with its audit event, in one transaction. */
export function createPermits(storage: Storage, leases: Leases, starts: Starts): Permits {
  const { permits: held } = leases;
  const change = (
    actionId: ActionId,
    command: PermitCommand,
    isRepeated = false,
  ): Promise<PermitResult> =>
    storage.write((writing) => changePermit(writing, leases, { actionId, command, isRepeated }));
  /**
   * However long the database cannot save: while this process lives, nobody else may say what became of
   * a permit that it has started.
   */
  const insist = async (
    actionId: ActionId,
    command: PermitCommand & { readonly fence: number },
  ): Promise<PermitResult> => {
    for (let isUnknown = false; ;) {
      try {
        return await change(actionId, command, isUnknown);
      } catch (error) {
        if (refusalOf(error)?.code !== "database_unwell") throw error;
        isUnknown ||= isPerhapsSaved(error);
        await sleep(pollEvery);
      }
    }
  };
  /** However it ends, this engine runs the tool no longer. */
  const changeLast = async (
    actionId: ActionId,
    command: PermitCommand & { readonly fence: number },
  ): Promise<PermitResult> => {
    try {
      const changed = await insist(actionId, command);
      held.forget(actionId, command.fence);
      return changed;
    } catch (error) {
      held.release(actionId, command.fence);
      throw error;
    }
  };
  const start = async (
    actionId: ActionId,
    command: PermitCommand & { readonly type: "start" },
  ): Promise<PermitResult> => {
    for (let sent = 1; ; sent += 1) {
      try {
        const started = await change(actionId, command);
        return started.type === "refused" || held.take(started.permit) ? started : taken(actionId);
      } catch (error) {
        if (!isPerhapsSaved(error) || sent === startsAtMost) throw error;
      }
    }
  };
  /** A start that cannot be noted is as one that nobody was told of: the tool does not run. */
  const noteStart = async ({ actionId, fence }: Permit): Promise<void> => {
    try {
      await starts.note(actionId);
    } catch (error) {
      held.forget(actionId, fence);
      throw error;
    }
  };
  return {
    startPermit: async (actionId, digest, again = false) => {
      held.begin(actionId);
      try {
        const started = await start(actionId, { type: "start", digest, again });
        if (started.type === "done") await noteStart(started.permit);
        failpoint("permit.after_start");
        return started;
      } finally {
        held.finish(actionId);
      }
    },
    suspendPermit: (actionId, fence) => changeLast(actionId, { type: "suspend", fence }),
    closePermit: async (actionId, fence, receipt) => {
      failpoint("receipt.before_commit");
      const closed = await changeLast(actionId, { type: "close", fence, receipt });
      failpoint("receipt.after_commit");
      return closed;
    },
    abandonPermit: (actionId, fence) => changeLast(actionId, { type: "lose", fence }),
    awaitPermit: async (actionId) => {
      for (;;) {
        const found = await storage.read(async (reading) => ({
          now: reading.now,
          ...(await reading.findPermit(actionId)),
        }));
        if (found.permit !== undefined && isInDoubt({ ...found, permit: found.permit })) {
          await change(actionId, { type: "restore", since: found.now });
          continue;
        }
        if (found.permit?.state.status !== "started") return found.permit;
        if (isOver(found.lease, { now: found.now, leases, actionId })) {
          await change(actionId, { type: "lose" });
        } else {
          await sleep(pollEvery);
        }
      }
    },
  };
}

type Change = {
  readonly actionId: ActionId;
  readonly command: PermitCommand;
  /** The same change was sent before, and nobody knows whether it was saved. */
  readonly isRepeated: boolean;
};

async function changePermit(
  writing: Writing,
  leases: Leases,
  { actionId, command, isRepeated }: Change,
): Promise<PermitResult> {
  const found = await writing.findPermit(actionId);
  if (found === undefined) return refused(noPermit(actionId));
  const isLeaseLost = command.type === "lose" && command.fence === undefined;
  if (isLeaseLost && !isOver(found.lease, { now: writing.now, leases, actionId })) {
    return refused({
      code: "permit_refused",
      message: `Action ${actionId} is still running; wait for it.`,
    });
  }
  const stream = await streamOf(writing, actionId);
  if (command.type === "restore" && !isInDoubt(found))
    return { type: "done", permit: found.permit };
  if (command.type === "start" && isInDoubt(found)) {
    await changePermit(writing, leases, {
      actionId,
      command: { type: "restore", since: writing.now },
      isRepeated,
    });
    return refused(restored(actionId));
  }
  if (isUntoldStart(found, leases, command)) {
    const isOurs = await writing.savePermit(found.permit, found.permit, leases.from(writing.now));
    return isOurs ? { type: "done", permit: found.permit } : taken(actionId);
  }
  const result = transitionPermit(found.permit, await dated(writing, command, stream), writing.now);
  if (result.type === "refused") {
    if (isRepeated && isEndOf(found.permit, command)) return { type: "done", permit: found.permit };
    await appendAudit(writing, stream, {
      type: "permit.refused",
      body: { actionId, command: command.type, status: found.permit.state.status },
    });
    return refused(result.refusal);
  }
  const lease = result.permit.state.status === "started" ? leases.from(writing.now) : undefined;
  if (!(await writing.savePermit(result.permit, found.permit, lease))) {
    return taken(actionId);
  }
  await appendAudit(writing, stream, {
    type: `permit.${result.permit.state.status}`,
    body: {
      actionId,
      fence: result.permit.fence,
      digest: result.permit.digest,
      ...sourceOf(command, found.permit),
    },
  });
  return { type: "done", permit: result.permit satisfies Permit };
}

/**
 * True of a permit that came back with a backup: what it was used for afterwards nobody knows. It may be
 * settled as any other whose end is not known.
 */
function isInDoubt({ permit, isOutdated }: StoredPermit): boolean {
  const { status } = permit.state;
  return (
    isOutdated === true && (status === "unused" || status === "suspended" || status === "started")
  );
}

/** No permit was started before its review was opened. */
async function dated(
  writing: Writing,
  command: PermitCommand,
  stream: string,
): Promise<PermitCommand> {
  if (command.type !== "restore") return command;
  const [opened] = await writing.auditOf(stream);
  return opened === undefined ? command : { ...command, since: opened.at };
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
  leases: Leases,
  command: PermitCommand,
): boolean {
  return (
    command.type === "start" &&
    permit.state.status === "started" &&
    permit.digest === command.digest &&
    lease?.owner === leases.owner &&
    !leases.permits.isTaken(permit)
  );
}

/** True when the run of this command has ended: sent before, it was saved after all. */
function isEndOf({ fence, state }: Permit, command: PermitCommand): boolean {
  return "fence" in command && command.fence === fence && state.status !== "started";
}

/** A process that stood still for longer than a lease has not lost what it runs itself. */
function isOver(
  lease: Lease | undefined,
  at: { readonly now: string; readonly leases: Leases; readonly actionId: ActionId },
): boolean {
  if (lease === undefined) return true;
  const isOurs = lease.owner === at.leases.owner && at.leases.permits.has(at.actionId);
  return !isOurs && lease.until <= at.now;
}

function refused(refusal: Refusal): PermitResult {
  return { type: "refused", refusal };
}

function taken(actionId: ActionId): PermitResult {
  return refused({
    code: "permit_refused",
    message: `Action ${actionId} was taken by another run.`,
  });
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
