import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestText } from "../digest.ts";
import { noon } from "../testing/review-builder.ts";
import {
  type Permit,
  type PermitCommand,
  type PermitState,
  type Receipt,
  transitionPermit,
} from "./permit.ts";

const approved = digestText("the approved call");
const other = digestText("another call");
const before = "2026-11-30T11:59:00.000Z";
const message = { content: "sent" };
const receipt: Receipt = { status: "succeeded", message };

const states = {
  unused: { status: "unused" },
  started: { status: "started", startedAt: before },
  suspended: { status: "suspended", startedAt: before },
  succeeded: { status: "succeeded", startedAt: before, endedAt: before, message },
  failed: { status: "failed", startedAt: before, endedAt: before, message },
  unknown: { status: "unknown", startedAt: before, endedAt: before },
  revoked: { status: "revoked", endedAt: before },
} as const satisfies Record<PermitState["status"], PermitState>;
const statuses = Object.keys(states) as (keyof typeof states)[];

const fence = 3;
const commands = {
  "start, same call": { type: "start", digest: approved },
  "start, other call": { type: "start", digest: other },
  "start again, same call": { type: "start", digest: approved, again: true },
  "start again, other call": { type: "start", digest: other, again: true },
  "suspend, own fence": { type: "suspend", fence },
  "suspend, old fence": { type: "suspend", fence: fence - 1 },
  "suspend, later fence": { type: "suspend", fence: fence + 1 },
  "succeed, own fence": { type: "close", fence, receipt },
  "fail, own fence": { type: "close", fence, receipt: { status: "failed", message } },
  "close, old fence": { type: "close", fence: fence - 1, receipt },
  "close, later fence": { type: "close", fence: fence + 1, receipt },
  lose: { type: "lose" },
  restore: { type: "restore", since: before },
} as const satisfies Record<string, PermitCommand>;
type CommandName = keyof typeof commands;

const restored: PermitState = {
  status: "unknown",
  startedAt: before,
  endedAt: noon,
  because: "restored",
};

/** Every legal move; whatever is not here is refused. */
const moves: Partial<Record<PermitState["status"], Partial<Record<CommandName, PermitState>>>> = {
  unused: {
    "start, same call": { status: "started", startedAt: noon },
    "start again, same call": { status: "started", startedAt: noon },
    restore: restored,
  },
  suspended: {
    "start, same call": { status: "started", startedAt: noon },
    "start again, same call": { status: "started", startedAt: noon },
    restore: restored,
  },
  started: {
    "suspend, own fence": { status: "suspended", startedAt: before },
    "succeed, own fence": { status: "succeeded", startedAt: before, endedAt: noon, message },
    "fail, own fence": { status: "failed", startedAt: before, endedAt: noon, message },
    lose: { status: "unknown", startedAt: before, endedAt: noon },
    restore: restored,
  },
  unknown: {
    "start again, same call": { status: "started", startedAt: noon },
    "succeed, own fence": { status: "succeeded", startedAt: before, endedAt: noon, message },
    "fail, own fence": { status: "failed", startedAt: before, endedAt: noon, message },
  },
};

function aPermit(state: PermitState = states.unused, at = fence): Permit {
  return Object.freeze({
    actionId: "act_1",
    digest: approved,
    fence: at,
    state: Object.freeze(state),
  });
}

describe("a permit, exhaustively", () => {
  const table = statuses.flatMap((status) =>
    (Object.keys(commands) as CommandName[]).map((name) => {
      const next = moves[status]?.[name];
      return { status, name, next, word: next?.status ?? "refused" };
    }),
  );

  test.each(table)("$status · $name → $word", ({ status, name, next }) => {
    const permit = aPermit(states[status]);
    const result = transitionPermit(permit, commands[name], noon);
    if (next === undefined) {
      expect(result).toMatchObject({
        type: "refused",
        refusal: { code: "permit_refused", details: { actionId: "act_1", status } },
      });
    } else {
      const risen = next.status === "started" ? fence + 1 : fence;
      expect(result).toEqual({ type: "changed", permit: { ...permit, fence: risen, state: next } });
    }
  });

  test("a refusal names the action and why, and no arguments", () => {
    expect(transitionPermit(aPermit(), { type: "start", digest: other }, noon)).toEqual({
      type: "refused",
      refusal: {
        code: "permit_refused",
        message:
          "Action act_1 was not run: the call about to run is not the call that was approved. Ask for a new review if it must run.",
        details: { actionId: "act_1", status: "unused" },
      },
    });
  });
});

type Rule = typeof transitionPermit;

const anyCommand: fc.Arbitrary<PermitCommand> = fc.oneof(
  fc.record({
    type: fc.constant("start" as const),
    digest: fc.constantFrom(approved, other),
    again: fc.boolean(),
  }),
  fc.record({ type: fc.constant("suspend" as const), fence: fc.nat({ max: 4 }) }),
  fc.record({
    type: fc.constant("close" as const),
    fence: fc.nat({ max: 4 }),
    receipt: fc.constantFrom<Receipt>(receipt, { status: "failed", message }),
  }),
  fc.constant({ type: "lose" as const }),
  fc.constant({ type: "restore" as const, since: before }),
);

/** What must hold for the whole life of a permit, whatever is asked of it (P3, P4, P14, P15). */
function lifeOfPermit(rule: Rule) {
  return fc.property(fc.array(anyCommand, { maxLength: 12 }), (asked) => {
    let permit: Permit = aPermit(states.unused, 0);
    let startsSinceSuspension = 0;
    let everLost = false;
    for (const command of asked) {
      const was = permit;
      const result = rule(permit, command, noon);
      if (result.type === "refused") continue;
      permit = result.permit;
      expect(permit.digest).toBe(approved);
      expect(permit.fence).toBeGreaterThanOrEqual(was.fence);
      if (command.type === "start") {
        if (was.state.status === "unknown") {
          expect(command.again).toBe(true); // the tool itself said that this does no harm
          startsSinceSuspension = 0;
          everLost = false;
        }
        expect(command.digest).toBe(approved);
        expect(permit.fence).toBe(was.fence + 1);
        startsSinceSuspension += 1;
      } else {
        expect(permit.fence).toBe(was.fence);
        if ("fence" in command) expect(command.fence).toBe(was.fence);
      }
      if (command.type === "suspend") startsSinceSuspension = 0;
      if (command.type === "lose" || command.type === "restore") everLost = true;
      expect(startsSinceSuspension).toBeLessThanOrEqual(1);
      if (everLost) expect(["unknown", "succeeded", "failed"]).toContain(permit.state.status);
    }
  });
}

/** Seeded faults that the property must catch. */
const faults: readonly (readonly [name: string, rule: Rule])[] = [
  [
    "forgets to compare the digest",
    (permit, command, now) =>
      transitionPermit(
        permit,
        command.type === "start" ? { ...command, digest: permit.digest } : command,
        now,
      ),
  ],
  [
    "forgets to compare the fence",
    (permit, command, now) =>
      transitionPermit(
        permit,
        "fence" in command ? { ...command, fence: permit.fence } : command,
        now,
      ),
  ],
  [
    "starts again what may have run",
    (permit, command, now) =>
      transitionPermit(
        permit.state.status === "unknown" ? { ...permit, state: states.unused } : permit,
        command,
        now,
      ),
  ],
  [
    "takes any start of what may have run for one that its tool allows",
    (permit, command, now) =>
      transitionPermit(
        permit,
        command.type === "start" ? { ...command, again: true } : command,
        now,
      ),
  ],
  [
    "starts again what is running",
    (permit, command, now) =>
      command.type === "start" && permit.state.status === "started"
        ? transitionPermit({ ...permit, state: states.unused }, command, now)
        : transitionPermit(permit, command, now),
  ],
  [
    "keeps the fence when it starts",
    (permit, command, now) => {
      const result = transitionPermit(permit, command, now);
      return result.type === "refused"
        ? result
        : { ...result, permit: { ...result.permit, fence: permit.fence } };
    },
  ],
];

describe("the life of a permit", () => {
  test("one start per suspension, of the approved call only; what was lost starts again only on its tool's word", () => {
    fc.assert(lifeOfPermit(transitionPermit), { numRuns: 500 });
  });

  test.each(faults)("the property catches a rule that %s", (_name, rule) => {
    expect(() => fc.assert(lifeOfPermit(rule), { numRuns: 500, seed: 1 })).toThrow(
      "Property failed",
    );
  });

  test("F10: a late result settles an unknown permit only with the fence that started it", () => {
    const unknown = aPermit(states.unknown);
    expect(transitionPermit(unknown, commands["close, old fence"], noon).type).toBe("refused");
    const settled = transitionPermit(unknown, commands["succeed, own fence"], noon);
    expect(settled).toMatchObject({
      type: "changed",
      permit: { state: { status: "succeeded", message } },
    });
  });
});

test("a permit can be revoked while nothing runs on it, and is then worth nothing", () => {
  for (const state of Object.values(states)) {
    const result = transitionPermit(aPermit(state, 1), { type: "revoke" }, noon);
    const isIdle = state.status === "unused" || state.status === "suspended";
    expect(result.type).toBe(isIdle ? "changed" : "refused");
    if (result.type === "refused") continue;
    const again = transitionPermit(result.permit, { type: "start", digest: approved }, noon);
    expect(again.type).toBe("refused");
  }
});

test("a run that was stopped is lost only under its own fence", () => {
  const started = aPermit(states.started, 2);
  expect(transitionPermit(started, { type: "lose", fence: 1 }, noon).type).toBe("refused");
  expect(transitionPermit(started, { type: "lose", fence: 2 }, noon)).toMatchObject({
    permit: { state: { status: "unknown" } },
  });
});
