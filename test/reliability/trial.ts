import type { ActionId } from "@holdpoint/core";
import type { Storage } from "@holdpoint/engine";
import type { Kill } from "./schedule.ts";

/** What is killed, and how all that it said and did is looked up: the entries it prints, and the lines its tools write. */
export type Trial<Entry extends { readonly type: string }, Effect> = {
  /** What a worker runs. */
  readonly script: URL;
  /** How many rounds of work a worker is given. */
  readonly rounds: number;
  readonly killOf: (seed: number, cycle: number) => Kill;
  /** The units that the next worker takes up besides those it begins. */
  readonly again: (
    known: ReadonlyMap<number, readonly Entry[]>,
    live: ReadonlySet<number>,
  ) => readonly number[];
  /** The unit whose tool wrote a line. */
  readonly unitOf: (effect: Effect) => number;
  /** An acknowledgement, or something that was shown. */
  readonly isPromise: (entry: Entry) => boolean;
  /** Compares one unit's rows with everything that was promised and done. */
  readonly verify: (
    snapshot: Storage,
    seed: number,
    traces: Traces<Entry, Effect>,
  ) => Promise<Finding>;
};

/** What is known of one unit from outside the database. */
export type Traces<Entry, Effect> = {
  readonly number: number;
  readonly entries: readonly Entry[];
  readonly effects: readonly Effect[];
  /** The permits that a kill left started: their receipts are, or become, unknown. */
  readonly diedStarted: ReadonlySet<ActionId>;
};

/** What a unit's rows say. */
export type Finding = {
  readonly violations: readonly string[];
  /** The permits that stand as started, with no live process behind them. */
  readonly started: readonly ActionId[];
  readonly unknown: readonly ActionId[];
  /** Nothing is left to do for it. */
  readonly isOver: boolean;
};
