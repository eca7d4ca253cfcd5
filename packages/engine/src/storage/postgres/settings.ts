/**
 * What bounds every wait, and how a commit is kept: for a session of our own, or for one transaction. Small
 * tables would be read whole: in a write anybody's insert would then count as a conflict, and a plan that is
 * kept would still read them whole when they have grown.
 */
export function settings(scope: "SESSION" | "LOCAL"): string {
  return [
    "statement_timeout = '30s'",
    "lock_timeout = '10s'",
    "idle_in_transaction_session_timeout = '60s'",
    "enable_seqscan = off",
    "jit = off", // a plan that reads a table whole after all is taken for so dear that it would be compiled
    "synchronous_commit = on",
  ]
    .map((setting) => `SET ${scope} ${setting}`)
    .join("; ");
}

/** For a transaction that may take as long as it takes, such as one over a whole table. */
export const unbounded = [
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
]
  .map((name) => `SET LOCAL ${name} = 0`)
  .join("; ");
