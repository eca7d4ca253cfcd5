const units = new Map([
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** The longest duration, in milliseconds: a year. */
const longest = 366 * 86_400_000;

/** A duration in milliseconds, from milliseconds or a text such as "90s", "30m", "4h", "7d"; `undefined` when it is none. */
export function readDuration(value: unknown): number | undefined {
  const read = typeof value === "string" ? readText(value) : value;
  const isDuration = typeof read === "number" && Number.isInteger(read) && read > 0;
  return isDuration && read <= longest ? read : undefined;
}

function readText(text: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,9}) ?([smhd])$/.exec(text) ?? [];
  const factor = units.get(unit);
  return factor === undefined ? undefined : Number(amount) * factor;
}
