/**
 * Measures several ways to do the same in one process: in every round each of them takes its turn, in an
 * order that changes, so that whatever else the machine does disturbs all alike. CPU time of the whole
 * process, because wall time is mostly other people's on a shared machine.
 */
export type Variant = {
  readonly name: string;
  /** Does the work once, on a thread of its own. */
  readonly run: (threadId: string) => Promise<unknown>;
  /** Clears up behind it; not measured. */
  readonly forget?: (threadId: string) => Promise<void>;
};

/** CPU milliseconds of one run, one figure for each round, by name of the variant. */
export type Samples = ReadonlyMap<string, readonly number[]>;

/** How often: `rounds` figures for each variant, each over `runs` runs, after rounds that do not count. */
export type Extent = { readonly rounds: number; readonly runs: number; readonly warmUp: number };

/** Measures the variants. */
export async function interleave(variants: readonly Variant[], extent: Extent): Promise<Samples> {
  const samples = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  for (let round = 0; round < extent.rounds + extent.warmUp; round += 1) {
    for (const variant of shuffled(variants)) {
      const spent = await measure(variant, round, extent.runs);
      if (round >= extent.warmUp) samples.get(variant.name)?.push(spent);
    }
  }
  return samples;
}

async function measure({ name, run, forget }: Variant, round: number, runs: number) {
  const threads = Array.from({ length: runs }, (_, index) => `${name} ${round}.${index}`);
  globalThis.gc?.({ type: "minor" }); // what the variant before left behind is not this one's to collect
  const before = process.cpuUsage();
  for (const thread of threads) await run(thread);
  const { user, system } = process.cpuUsage(before);
  for (const thread of threads) await forget?.(thread);
  return (user + system) / 1000 / runs;
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
