/** A text column that may be empty. */
export function optionalText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
