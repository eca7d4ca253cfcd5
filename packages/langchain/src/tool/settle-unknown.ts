import {
  type Action,
  type Call,
  type CallKey,
  type Permit,
  type PermitState,
} from "@holdpoint/core";
import type { BoundGate } from "../gate/bound-gate.ts";
import { declarationOf, type Probe, type ProbeResult } from "./declared-tools.ts";
import { idempotencyKeyFor } from "./idempotency-key.ts";
import type { Task } from "../pause/task.ts";
import { receiptOf } from "./tool-messages.ts";

/** What becomes of a call that was started and of which nobody knows whether it finished. */
export type Settled =
  | { readonly type: "ask" }
  | { readonly type: "again" }
  | { readonly type: "known"; readonly permit: Permit };

type Lost = {
  readonly key: CallKey;
  readonly action: Action;
  readonly call: Call;
  readonly permit: Permit & { readonly state: Extract<PermitState, { status: "unknown" }> };
};

/** The actions that this run of a task may start again. */
const startedAgain = new WeakMap<Task["scratchpad"], Set<string>>();

/** True when this very run of the task found that a second start of the action does no harm. */
export function mayStartAgain({ scratchpad }: Task, { id }: Action): boolean {
  return startedAgain.get(scratchpad)?.has(id) === true;
}

/** Settles it by what its tool declares: it may run again, its probe knows, or a person is asked. */
export async function settleUnknown(
  gate: BoundGate,
  task: Task,
  tool: unknown,
  lost: Lost,
): Promise<Settled> {
  const declared = declarationOf(tool);
  if (declared === undefined) return { type: "ask" };
  if (declared.type === "idempotent") return again(task, lost);
  const found = await ask(declared.probe, lost);
  if (!("content" in found))
    return found.status === "not_started" ? again(task, lost) : { type: "ask" };
  const receipt = { ...receiptOf(found), by: "probe" } as const;
  const closed = await gate.holdpoint.closePermit(lost.action.id, lost.permit.fence, receipt);
  return closed.type === "done" ? { type: "known", permit: closed.permit } : { type: "ask" };
}

function again({ scratchpad }: Task, { action }: Lost): Settled {
  const ids = startedAgain.get(scratchpad) ?? new Set();
  startedAgain.set(scratchpad, ids.add(action.id));
  return { type: "again" };
}

/** A probe that fails, or says something else, knows nothing. */
async function ask(probe: Probe, { key, call, permit }: Lost): Promise<ProbeResult> {
  const { startedAt } = permit.state;
  try {
    const found: ProbeResult = await probe({
      ...call,
      idempotencyKey: idempotencyKeyFor(key),
      startedAt,
    });
    return isResult(found) ? found : { status: "unknown" };
  } catch {
    return { status: "unknown" };
  }
}

function isResult(found: unknown): found is ProbeResult {
  if (typeof found !== "object" || found === null || !("status" in found)) return false;
  const { status } = found;
  if (status === "not_started" || status === "unknown") return true;
  const hasContent = "content" in found && typeof found.content === "string";
  return hasContent && (status === "succeeded" || status === "failed");
}
