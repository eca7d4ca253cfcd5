const escape = "\u001a";

/**
 * Text as Postgres can keep it: it refuses U+0000, which may stand in a description, an error or an
 * id. What has none, which is nearly everything and all JSON, is kept as it is.
 */
export function storableText(text: string): string {
  if (!text.includes("\u0000") && !text.includes(escape)) return text;
  return text.replaceAll(escape, `${escape}1`).replaceAll("\u0000", `${escape}0`);
}

/** The text that `storableText` was given. */
export function restoreText(stored: string): string {
  if (!stored.includes(escape)) return stored;
  return stored.replaceAll(`${escape}0`, "\u0000").replaceAll(`${escape}1`, escape);
}
