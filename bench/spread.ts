/** The median of a series with its quartiles. */
export type Spread = { readonly low: number; readonly median: number; readonly high: number };

/** Describes a series. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/** What a series is as a multiple of another, figure by figure: both of a round saw the same machine. */
export function ratioOf(values: readonly number[], base: readonly number[]): Spread {
  return spreadOf(values.map((value, index) => value / (base[index] ?? Number.NaN)));
}

/** Writes a spread as `6.1 (5.4 to 7.0)`. */
export function textOf({ low, median, high }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** Writes a ratio as what it adds: `+38 % (+29 to +47)`. */
export function addedText({ low, median, high }: Spread): string {
  const percent = (ratio: number): string => {
    const added = (ratio - 1) * 100;
    return `${added < 0 ? "−" : "+"}${Math.abs(added).toFixed(1)}`;
  };
  return `${percent(median)} % (${percent(low)} to ${percent(high)})`;
}
