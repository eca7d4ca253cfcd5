import { setTimeout as sleep } from "node:timers/promises";
import {
  type ActionId,
  type Holdpoint,
  type Permit,
  type PermitResult,
  refusalOf,
} from "@holdpoint/core";
import type { Starts } from "./backup/starts.ts";
import { createBatches } from "./batches.ts";
import {
  changePermits,
  isInDoubt,
  isOver,
  type PermitChange,
  type PermitCommand,
  taken,
} from "./change-permits.ts";
import type { Leases } from "./due/leases.ts";
import { failpoint } from "./failpoint.ts";
import type { Storage, StoredPermit } from "./storage/storage.ts";
import { isPerhapsSaved } from "./storage/unwell.ts";

/** Consuming and closing permits. */
export type Permits = Pick<
  Holdpoint,
  "startPermit" | "suspendPermit" | "closePermit" | "abandonPermit" | "awaitPermit"
> & {
  /** Settles now as `unknown` what processes that are gone have left started, whether anybody waits for it or not. */
  readonly settleLost: () => Promise<void>;
};

/** How often a waiting caller looks whether a running tool has finished, in milliseconds. */
const pollEvery = 100;

/** How often a start is sent whose COMMIT was lost: one that took place is found, and not made again. */
const startsAtMost = 4;

/** How many permits are settled at most before it is looked again. */
const lostAtOnce = 100;

/** So many changes share a transaction at most: it stays short, and its locks with it. */
const changesAtMost = 128;

/**
 * Each change is load → transition → compare-and-set, with its audit event; those of one moment share a
 * transaction.
 */
export function createPermits(storage: Storage, leases: Leases, starts: Starts): Permits {
  const { permits: held } = leases;
  const make = createBatches<PermitChange, PermitResult>(changesAtMost, (changes) =>
    storage.write((writing) => changePermits(writing, leases, changes)),
  );
  const change = (
    actionId: ActionId,
    command: PermitCommand,
    isRepeated = false,
  ): Promise<PermitResult> => make({ actionId, command, isRepeated });
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
  /** False while somebody may still say what became of it. */
  const settleIfOver = async (found: StoredPermit, now: string): Promise<boolean> => {
    const { actionId } = found.permit;
    if (isInDoubt(found)) await change(actionId, { type: "restore", since: now });
    else if (isOver(found.lease, { now, leases, actionId }))
      await change(actionId, { type: "lose" });
    else return false;
    return true;
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
        const found = await storage.look((reading) => reading.findPermit(actionId));
        if (found === undefined) return undefined;
        if (!isInDoubt(found) && found.permit.state.status !== "started") return found.permit;
        const now = await storage.read(async (reading) => reading.now);
        if (!(await settleIfOver(found, now))) await sleep(pollEvery);
      }
    },
    settleLost: async () => {
      const { now, lost } = await storage.read(async (reading) => {
        const ids = await reading.lapsedPermits(reading.now, lostAtOnce);
        return { now: reading.now, lost: [...(await reading.findPermits(ids)).values()] };
      });
      await Promise.all(lost.map((found) => settleIfOver(found, now)));
    },
  };
}
