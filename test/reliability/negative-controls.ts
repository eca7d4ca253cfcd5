/** A mistake that the kill -9 harness must find, and what it must find there. */
export type NegativeControl = {
  readonly what: string;
  /** Its name among the seeded faults. */
  readonly fault: string;
  /** What the violation that it leads to says. */
  readonly violation: RegExp;
  /** How many kills are enough, where it is not found after one of them but when all should be done. */
  readonly cycles?: number;
};

/** The mistakes that a crash-safe engine must not make; each is put in on purpose, and must be found. */
export const negativeControls: readonly NegativeControl[] = [
  {
    what: "answers before the COMMIT",
    fault: "reply-before-commit",
    violation: /not kept/,
  },
  {
    what: "starts a tool while its permit is being consumed",
    fault: "tool-before-permit",
    violation: /ran 2 times/,
  },
  {
    what: "lets a permit be used twice",
    fault: "permit-used-twice",
    violation: /ran 2 times/,
  },
  {
    what: "runs a lost start again without a word",
    fault: "lost-start-runs-again",
    violation: /left started by a kill and is|was started 2 times/,
  },
  {
    what: "runs again what nobody knows the end of",
    fault: "unknown-starts-again",
    violation: /left started by a kill and is|was started 2 times/,
  },
  {
    what: "lets the second decision replace the first",
    fault: "second-decision-wins",
    violation: /"type":"decided"/,
  },
  {
    what: "forgets to continue a decided thread",
    fault: "continue-forgotten",
    violation: /nothing will continue/,
  },
  {
    what: "changes a permit without an audit event",
    fault: "permit-unaudited",
    violation: /but its events say/,
  },
];

/** The mistake that the harness must find on Postgres too; the others are in code that both share. */
export const postgresControl: NegativeControl = {
  what: "answers before the COMMIT on Postgres",
  fault: "reply-before-commit-postgres",
  violation: /not kept/,
};
