/** A row as either database returns it: the columns have the same names and meanings in both. */
export type Row = Readonly<Record<string, unknown>>;

/** A text column that may be empty. */
export function optionalText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
