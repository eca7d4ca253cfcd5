import type { Refusal } from "../contract/errors.ts";
import type { ActionId } from "../contract/ids.ts";
import type { Digest } from "../digest.ts";
import type { JsonObject } from "../plain-json.ts";

/**
 * The life of a permit: unused → started → receipt (succeeded | failed | unknown).
 * `suspended` while the tool itself waits for a person; only a start with a new fence leaves it.
 * A start is refused unless the digest is exactly the approved one. A started permit whose lease is
 * lost becomes `unknown`. It is started again only where the tool itself says that this does no harm (it is
 * idempotent, or its probe found that nothing happened); else asking a person opens a new review.
 * One that comes back with a backup is `unknown` too: it may have been used after the backup was made.
 */
export type Permit = {
  readonly actionId: ActionId;
  readonly digest: Digest;
  /** Rises with every start; a close with an older fence changes nothing. */
  readonly fence: number;
  readonly state: PermitState;
};

export type PermitState =
  | { readonly status: "unused" }
  | { readonly status: "started"; readonly startedAt: string }
  | { readonly status: "suspended"; readonly startedAt: string }
  | {
      readonly status: "succeeded" | "failed";
      readonly startedAt: string;
      readonly endedAt: string;
      readonly message: JsonObject;
      readonly by?: "probe";
    }
  | {
      readonly status: "unknown";
      /** Of one that was restored unused, when it was first possible that it had started. */
      readonly startedAt: string;
      readonly endedAt: string;
      readonly because?: "restored";
    }
  | { readonly status: "revoked"; readonly endedAt: string };

/**
 * How a run ended; the receipt stores the ToolMessage, so a crash after it replays that and nothing else.
 * `by` says who knows it, when it was not the run itself.
 */
export type Receipt = {
  readonly status: "succeeded" | "failed";
  readonly message: JsonObject;
  readonly by?: "probe";
};

export type PermitCommand =
  /** `again` where the tool itself says that a second start of what may have run does no harm. */
  | { readonly type: "start"; readonly digest: Digest; readonly again?: boolean }
  | { readonly type: "suspend"; readonly fence: number }
  | { readonly type: "close"; readonly fence: number; readonly receipt: Receipt }
  | { readonly type: "revoke" }
  /** Without a fence: its lease is lost. With one: that very run was stopped. */
  | { readonly type: "lose"; readonly fence?: number }
  /** It came back with a backup; `since` is when it cannot have been started yet. */
  | { readonly type: "restore"; readonly since: string };

export type PermitTransition =
  | { readonly type: "changed"; readonly permit: Permit }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** The only way a permit changes. Pure. */
export function transitionPermit(
  permit: Permit,
  command: PermitCommand,
  now: string,
): PermitTransition {
  const { state } = permit;
  switch (command.type) {
    case "start":
      if (!canStart(state.status, command.again === true)) {
        return refused(permit, `its permit is already ${state.status}`);
      }
      if (command.digest !== permit.digest) {
        return refused(permit, "the call about to run is not the call that was approved");
      }
      return changed({
        ...permit,
        fence: permit.fence + 1,
        state: { status: "started", startedAt: now },
      });
    case "suspend":
      if (state.status !== "started" || command.fence !== permit.fence)
        return refused(permit, "another run holds it");
      return changed({ ...permit, state: { status: "suspended", startedAt: state.startedAt } });
    case "close":
      // A late result of the very run that started it may still settle an `unknown` one.
      if (
        (state.status !== "started" && state.status !== "unknown") ||
        command.fence !== permit.fence
      ) {
        return refused(permit, "another run holds it");
      }
      return changed({
        ...permit,
        state: { ...command.receipt, startedAt: state.startedAt, endedAt: now },
      });
    case "revoke":
      if (state.status !== "unused" && state.status !== "suspended") {
        return refused(permit, `its permit is already ${state.status}`);
      }
      return changed({ ...permit, state: { status: "revoked", endedAt: now } });
    case "lose":
      if (state.status !== "started") return refused(permit, `it is ${state.status}, not started`);
      if (command.fence !== undefined && command.fence !== permit.fence) {
        return refused(permit, "another run holds it");
      }
      return changed({
        ...permit,
        state: { status: "unknown", startedAt: state.startedAt, endedAt: now },
      });
    case "restore":
      if (!isOpenEnded(state)) return refused(permit, `its permit is already ${state.status}`);
      return changed({
        ...permit,
        state: {
          status: "unknown",
          startedAt: state.status === "unused" ? command.since : state.startedAt,
          endedAt: now,
          because: "restored",
        },
      });
    default:
      return command satisfies never;
  }
}

/** True while a later state may follow that a backup does not know of. */
function isOpenEnded(
  state: PermitState,
): state is Extract<PermitState, { status: "unused" | "started" | "suspended" }> {
  return state.status === "unused" || state.status === "started" || state.status === "suspended";
}

function canStart(status: PermitState["status"], again: boolean): boolean {
  return status === "unused" || status === "suspended" || (again && status === "unknown");
}

function changed(permit: Permit): PermitTransition {
  return { type: "changed", permit };
}

function refused(permit: Permit, why: string): PermitTransition {
  return {
    type: "refused",
    refusal: {
      code: "permit_refused",
      message: `Action ${permit.actionId} was not run: ${why}. Ask for a new review if it must run.`,
      details: { actionId: permit.actionId, status: permit.state.status },
    },
  };
}
