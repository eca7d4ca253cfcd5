import type { ActionId, NamedDecision, RunId } from "@holdpoint/core";
import type { RunStatus } from "@holdpoint/engine";

/** What any worker prints, one line each. */
export type Said<What> =
  | { readonly type: "ready" }
  /** It has done all it was told to. */
  | { readonly type: "idle" }
  | (What & { readonly unit: number });

/** What the worker that drives the engine prints. */
export type Message = Said<Entry>;

/** What a worker says of a unit. All but `asked` and `odd` is a promise that the engine gave it. */
export type Entry =
  /** A client is about to start a unit; whether it was accepted is not known yet. */
  | { readonly type: "asked" }
  | { readonly type: "accepted"; readonly runId: RunId }
  | { readonly type: "saved"; readonly which: "waiting" | "done" }
  | {
      readonly type: "decided";
      readonly reviewer: string;
      readonly decisions: readonly NamedDecision[];
    }
  /** Somebody else was first, and this is who. */
  | {
      readonly type: "lost";
      readonly actionId: ActionId;
      readonly by: string;
      readonly decision: string;
    }
  /** Refused in a way that never follows from what the clients do. */
  | { readonly type: "odd"; readonly what: string }
  | { readonly type: "started"; readonly actionId: ActionId; readonly fence: number }
  | { readonly type: "closed"; readonly actionId: ActionId }
  /** Nobody runs it any more and nobody knows how it ended. */
  | { readonly type: "unknown"; readonly actionId: ActionId }
  | { readonly type: "ended"; readonly runId: RunId; readonly status: RunStatus };

/** What a worker is told: on which file to work, and what. */
export type Orders = {
  readonly database: string;
  /** The file that the tool writes to: one line for each time it runs. */
  readonly effects: string;
  readonly seed: number;
  /** Units to take up besides: those that were asked for and never acknowledged, or those that are not over. */
  readonly again: readonly number[];
  /** The first number of new units, and how many rounds of them to do. */
  readonly firstUnit: number;
  readonly rounds: number;
};

/** One line of the tool's file. */
export type Effect = {
  readonly actionId: ActionId;
  readonly fence: number;
  readonly digest: string;
};
