/** The named points between two writes at which a crash test may end the process. */
export type Failpoint = "decide.after_commit" | "permit.after_start" | "receipt.before_commit";

/**
 * Ends the process as a power cut would when HOLDPOINT_FAILPOINT names this point; otherwise does nothing.
 * For crash tests only: each point must be survived with nothing lost and nothing run twice.
 */
export function failpoint(name: Failpoint): void {
  if (process.env["HOLDPOINT_FAILPOINT"] === name) process.kill(process.pid, "SIGKILL");
}
