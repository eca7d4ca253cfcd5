/** Longer texts are folded; in UTF-16 units. */
export const foldAbove = 1200;
const shown = 600;

/** The beginning of a text that is too long to show at once; `undefined` when it is not. */
export function foldedText(text: string): string | undefined {
  if (text.length <= foldAbove) return undefined;
  const cut = text.slice(0, shown);
  return cut.isWellFormed() ? cut : text.slice(0, shown - 1); // never half of a surrogate pair
}

/** How long a text is in UTF-8, written for people. */
export function byteCount(text: string, language: string): string {
  return new Intl.NumberFormat(language).format(new TextEncoder().encode(text).length);
}
