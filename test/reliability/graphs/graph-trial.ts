import type { Failpoint } from "../../../packages/engine/src/failpoint.ts";
import { killAmong } from "../schedule.ts";
import type { Trial } from "../trial.ts";
import type { Start, ThreadEntry } from "./thread-journal.ts";
import { verifyThread } from "./verify-thread.ts";

/** The named points that a worker with a real agent comes by in every life. */
export const graphPoints: readonly Failpoint[] = [
  "write.saveCheckpoints",
  "write.insertReview",
  "commit.before",
  "commit.after",
  "checkpoint.after_commit",
  "write.insertAuditEvents",
  "write.insertThread",
  "write.insertRuns",
  "write.claimRun",
  "run.after_claim",
  "write.saveReviews",
  "write.insertDecisions",
  "write.insertPermits",
  "decide.after_commit",
  "write.savePermits",
  "permit.after_start",
  "receipt.before_commit",
  "receipt.after_commit",
  "write.appendEvent",
  "write.endRun",
  "run.after_end",
];

/** Every life comes by the others at least once, as it begins threads whose first call is held and approved. */
const often: ReadonlySet<Failpoint> = new Set([
  "write.saveCheckpoints",
  "commit.before",
  "commit.after",
  "checkpoint.after_commit",
  "write.insertAuditEvents",
  "write.savePermits",
  "permit.after_start",
  "receipt.before_commit",
]);

/** Kills a worker that runs real agents, by `runAgent` and by `invoke`. */
export const graphTrial: Trial<ThreadEntry, Start> = {
  script: new URL("./graph-worker.ts", import.meta.url),
  rounds: 3,
  killOf: killAmong(graphPoints, {
    milliseconds: 400,
    times: (point) => (often.has(point) ? 8 : 1),
  }),
  again: (_known, live) => [...live],
  unitOf: ({ unit }) => unit,
  isPromise: ({ type }) => type !== "asked" && type !== "odd",
  verify: verifyThread,
};
