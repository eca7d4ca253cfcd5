/** A text as a browser's text area holds it: every line ending is a line feed. */
export function asTextArea(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

/**
 * The text after a person changed it in a text area. Line endings that were not touched stay what they
 * were, and new ones are like the first one of the text: an edit of one word is no edit of every line.
 */
export function afterTyping(before: string, typed: string): string {
  if (!before.includes("\r")) return typed;
  const units = before.match(/\r\n|[^]/g) ?? [];
  const shown = units.map(asTextArea);
  const shortest = Math.min(shown.length, typed.length);
  let start = 0;
  while (start < shortest && shown[start] === typed[start]) start += 1;
  let end = 0;
  while (end < shortest - start && shown.at(-1 - end) === typed.at(-1 - end)) end += 1;
  const ending = before.match(/\r\n?|\n/)?.[0] ?? "\n";
  const middle = typed.slice(start, typed.length - end).replaceAll("\n", ending);
  const kept = [...units.slice(0, start), middle, ...units.slice(units.length - end)].join("");
  // A lone carriage return and a line feed that come to stand together would become one ending.
  return asTextArea(kept) === typed ? kept : typed.replaceAll("\n", ending);
}
