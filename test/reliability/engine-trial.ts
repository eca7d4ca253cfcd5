import type { Effect, Entry } from "./journal.ts";
import { killOf } from "./schedule.ts";
import type { Trial } from "./trial.ts";
import { numberOfAction, unitOf } from "./unit.ts";
import { verifyUnit } from "./verify.ts";

/** Kills a worker that drives the engine by itself, with checkpoints that are made up. */
export const engineTrial: Trial<Entry, Effect> = {
  script: new URL("./worker.ts", import.meta.url),
  rounds: 3,
  killOf,
  again: (known) =>
    [...known]
      .filter(([, said]) => !said.some(({ type }) => type === "accepted"))
      .map(([unit]) => unit),
  unitOf: ({ actionId }) => numberOfAction(actionId),
  isPromise: ({ type }) => type !== "asked" && type !== "odd",
  verify: (snapshot, seed, { number, ...traces }) =>
    verifyUnit(snapshot, { unit: unitOf(seed, number), ...traces }),
};
