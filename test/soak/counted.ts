/** What a piece of a soak counted: numbers by what they are of, in the order in which they are shown. */
export type Counted = {
  readonly counts: Readonly<Record<string, number>>;
  /** How many processes died at each place, where that is counted. */
  readonly killedAt: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
};

/** What a harness found of an engine with a mistake in it. */
export type Control = {
  readonly what: string;
  /** Its name among the seeded faults. */
  readonly fault: string;
  /** How it was found, or `undefined` where it was not. */
  readonly found: string | undefined;
};

/** What several pieces counted together. */
export function sumOf(all: readonly Counted[]): Counted {
  return {
    counts: added(all.map(({ counts }) => counts)),
    killedAt: added(all.map(({ killedAt }) => killedAt)),
    violations: all.flatMap(({ violations }) => violations),
  };
}

function added(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of all.flatMap((one) => Object.entries(one)))
    sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
