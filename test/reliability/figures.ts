/** What a crash loop did and found. */
export type Figures = {
  readonly seed: number;
  readonly cycles: number;
  /** How many processes died at each named point, and at random; `idle` had done all before. */
  readonly killsAt: ReadonlyMap<string, number>;
  /** Acknowledgements of every kind, and those of decisions alone. */
  readonly promises: number;
  readonly decisions: number;
  readonly effects: number;
  readonly unknown: number;
  readonly violations: readonly string[];
};

/** The same while it is being counted. */
export type Tally = {
  readonly seed: number;
  cycles: number;
  readonly killsAt: Map<string, number>;
  promises: number;
  decisions: number;
  effects: number;
  unknown: number;
  readonly violations: string[];
};

/** Starts to count. */
export function createTally(seed: number): Tally {
  return {
    seed,
    cycles: 0,
    killsAt: new Map(),
    promises: 0,
    decisions: 0,
    effects: 0,
    unknown: 0,
    violations: [],
  };
}

/** What several loops did together. */
export function sumOf(seed: number, all: readonly Figures[]): Figures {
  const sum = createTally(seed);
  for (const one of all) {
    for (const count of ["cycles", "promises", "decisions", "effects", "unknown"] as const)
      sum[count] += one[count];
    for (const [place, times] of one.killsAt)
      sum.killsAt.set(place, (sum.killsAt.get(place) ?? 0) + times);
    sum.violations.push(...one.violations);
  }
  return sum;
}
