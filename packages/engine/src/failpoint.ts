/** The writes of a transaction on the life of a call; a crash test may end the process after each. */
export const killableWrites = [
  "insertThread",
  "insertRuns",
  "claimRun",
  "endRun",
  "releaseRun",
  "renewLeases",
  "expireLeases",
  "appendEvent",
  "compactEvents",
  "saveCheckpoints",
  "insertReview",
  "saveReviews",
  "insertDecisions",
  "insertReplies",
  "insertPermits",
  "savePermits",
  "insertAuditEvents",
  "insertDeliveries",
  "withdrawDeliveries",
] as const;

/** The named points around each COMMIT and between a commit and what is said or done because of it. */
const pointsOutside = [
  "commit.before",
  "commit.after",
  "decide.after_commit",
  "permit.after_start",
  "receipt.before_commit",
  "receipt.after_commit",
  "run.after_claim",
  "run.after_end",
  "checkpoint.after_commit",
] as const;

/** The named points between two writes at which a crash test may end the process. */
export type Failpoint =
  | (typeof pointsOutside)[number]
  | `write.${(typeof killableWrites)[number]}`
  | "migration.after_file";

/** Every named point that a working engine comes by, for a harness that visits them all. */
export const failpoints: readonly Failpoint[] = [
  ...pointsOutside,
  ...killableWrites.map((name) => `write.${name}` as const),
];

const [chosen, times = "1"] = (process.env["HOLDPOINT_FAILPOINT"] ?? "").split("@");
let left = Number(times);

/** False in every process but those of crash tests. */
export const isKillable = chosen !== "";

/**
 * Ends the process as a power cut would when HOLDPOINT_FAILPOINT names this point, or `any`; with `@3`
 * behind it, the third time one is reached. Otherwise does nothing. For crash tests only: each point
 * must be survived with nothing lost and nothing run twice.
 */
export function failpoint(name: Failpoint): void {
  if (chosen !== name && chosen !== "any") return;
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}
