// What must hold after every kill, found by reading the database anew (P1, P2, P3, P7, P8, P9).
import type { ActionId, ActionView, JsonObject, ReviewView } from "@holdpoint/core";
import { firstBrokenEvent, type Storage } from "@holdpoint/engine";
import { createReviews } from "../../packages/engine/src/reviews/reviews.ts";
import { foldOf, stateOf } from "../../packages/engine/src/testing/audit-fold.ts";
import type { Effect, Entry } from "./journal.ts";
import type { Finding } from "./trial.ts";
import { receiptOf, type Unit } from "./unit.ts";

/** What is known of one unit from outside the database. */
export type Evidence = {
  readonly unit: Unit;
  /** What was promised of it, and of its actions. */
  readonly entries: readonly Entry[];
  /** What its tools did. */
  readonly effects: readonly Effect[];
  /** The permits that a kill left started: their receipts are, or become, unknown. */
  readonly diedStarted: ReadonlySet<ActionId>;
};

/** Compares one unit's rows with everything that was promised and done. */
export async function verifyUnit(storage: Storage, evidence: Evidence): Promise<Finding> {
  const { unit } = evidence;
  const violations: string[] = [];
  const must = (holds: boolean, otherwise: string): void => {
    if (!holds) violations.push(`unit ${unit.number}: ${otherwise}`);
  };
  const view = await createReviews(storage, { threadResumable: () => undefined }).view(
    unit.draft.id,
  );
  const latest = await storage.read((reading) => reading.latestRunOf(unit.threadId));
  for (const entry of evidence.entries) {
    must(await isKept(storage, unit, view, entry), `not kept: ${JSON.stringify(entry)}`);
  }
  for (const action of view?.actions ?? []) {
    for (const problem of await problemsOfCall(storage, action, evidence)) must(false, problem);
  }
  must(view !== undefined || evidence.effects.length === 0, "a tool ran without a review");
  for (const problem of await problemsOfAudit(storage, view)) must(false, problem);
  if (view?.status === "decided")
    must(latest?.kind === "continue", "decided, but nothing will continue its thread");
  const withPermit = (status: ActionView["permit"]): ActionId[] =>
    (view?.actions ?? []).filter(({ permit }) => permit === status).map(({ id }) => id);
  return {
    violations,
    started: withPermit("started"),
    unknown: withPermit("unknown"),
    isOver: latest?.kind === "continue" && latest.status === "completed",
  };
}

/** P1: what was acknowledged is there, with the same content. */
async function isKept(
  storage: Storage,
  unit: Unit,
  view: ReviewView | undefined,
  entry: Entry,
): Promise<boolean> {
  const action = (id: ActionId): ActionView | undefined =>
    view?.actions.find((candidate) => candidate.id === id);
  switch (entry.type) {
    case "asked":
      return true;
    case "odd":
      return false;
    case "accepted": {
      const run = await storage.read((reading) => reading.findRunByKey(unit.threadId, "first"));
      return run?.id === entry.runId;
    }
    case "saved": {
      const { checkpoint, part } = unit.checkpoints[entry.which];
      const { threadId, namespace, id } = checkpoint;
      const [found, parts] = await storage.read(async (reading) => [
        await reading.findCheckpoint(threadId, namespace, id),
        await reading.findParts(threadId, [part.hash]),
      ]);
      const value = parts.get(part.hash)?.value ?? new Uint8Array();
      return found?.checkpoint.body === checkpoint.body && Buffer.compare(value, part.value) === 0;
    }
    case "decided":
      return entry.decisions.every(({ actionId, decision }) => {
        const recorded = action(actionId)?.recorded;
        return recorded?.reviewer.id === entry.reviewer && recorded.decision.type === decision.type;
      });
    case "lost": {
      const recorded = action(entry.actionId)?.recorded;
      return recorded?.reviewer.name === entry.by && recorded.decision.type === entry.decision;
    }
    case "started":
      return fenceOf(storage, entry.actionId).then((fence) => fence === entry.fence);
    case "closed":
      return action(entry.actionId)?.permit === "succeeded";
    case "unknown":
      return action(entry.actionId)?.permit === "unknown";
    case "ended": {
      const run = await storage.read((reading) => reading.findRun(entry.runId));
      return run?.status === entry.status;
    }
    default:
      return entry satisfies never;
  }
}

async function fenceOf(storage: Storage, actionId: ActionId): Promise<number | undefined> {
  return (await storage.read((reading) => reading.findPermit(actionId)))?.permit.fence;
}

/** P2, P3: one outcome, one permit, at most one start, and a receipt that tells the truth. */
async function problemsOfCall(
  storage: Storage,
  action: ActionView,
  { effects, diedStarted, unit }: Evidence,
): Promise<readonly string[]> {
  const { id } = action;
  const permit = (await storage.read((reading) => reading.findPermit(id)))?.permit;
  const ran = effects.filter((effect) => effect.actionId === id);
  const status = permit?.state.status;
  const problems: string[] = [];
  const isApproved = action.outcome?.type === "approved";
  if (isApproved !== (permit !== undefined))
    problems.push("approval and permit are not both there");
  if (permit !== undefined && permit.fence > 1)
    problems.push(`the permit of ${id} was started ${permit.fence} times`);
  if (ran.length > 1) problems.push(`the tool of ${id} ran ${ran.length} times`);
  for (const effect of ran) {
    if (permit === undefined || status === "unused") problems.push(`${id} ran without its permit`);
    else if (effect.fence !== permit.fence) problems.push(`${id} ran under another fence`);
    if (effect.digest !== permit?.digest) problems.push(`${id} ran, but another call was approved`);
  }
  if (permit?.state.status === "succeeded") {
    if (ran.length === 0) problems.push(`${id} has a receipt, but it never ran`);
    if (diedStarted.has(id)) problems.push(`${id} got a receipt after its process had died`);
    if (!isSameMessage(permit.state.message, receiptOf(id)))
      problems.push(`${id} has another's receipt`);
  }
  if (status === "unknown" && !diedStarted.has(id))
    problems.push(`${id} is unknown, but no kill left it started`);
  if (diedStarted.has(id) && status !== "started" && status !== "unknown")
    problems.push(`${id} was left started by a kill and is ${String(status)} now`);
  if (!unit.draft.actions.some((one) => one.id === id)) problems.push(`${id} belongs elsewhere`);
  return problems;
}

function isSameMessage(left: JsonObject, right: JsonObject): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** P7, P8: the chain is whole, and the review is the fold of its events. */
export async function problemsOfAudit(
  storage: Storage,
  view: ReviewView | undefined,
): Promise<readonly string[]> {
  if (view === undefined) return [];
  const events = await storage.read((reading) => reading.auditOf(view.id));
  const broken = firstBrokenEvent(events);
  if (broken !== undefined) return [`the audit of ${view.id} is broken at event ${broken}`];
  const [folded, stands] = [foldOf(events), stateOf(view)].map((state) =>
    JSON.stringify(sorted(state)),
  );
  return folded === stands ? [] : [`${view.id} is ${stands}, but its events say ${folded}`];
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([key, inner]) => [key, sorted(inner)]);
}
