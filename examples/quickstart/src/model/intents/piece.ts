import { QUOTE_OR_PATH, type MarkedText, PATH, valuesOf } from "../marked-text.ts";
import { isFileName } from "../file-names.ts";

/** One request as an intent sees it: the text without preamble, and what was said before it. */
export type Piece = MarkedText & { readonly before: string };

/** For regular expressions: one file name, quoted or not. */
export const FILE = QUOTE_OR_PATH;

const AND = String.raw`(?:\s*(?:[,，、&]|\band\b|\bplus\b|和|与|跟|以及|及|还有)\s*)+(?:(?:also|the|files?|文件)\s*)*`;

/** For regular expressions: file names joined by commas and "and". */
export const FILES = `${FILE}(?:${AND}${FILE})*`;

/** The names in what `FILES` matched; none if one of the quotations is not a file name. */
export function namesIn(piece: Piece, list: string): string[] {
  const names = valuesOf(piece, list, FILE).map((name) => name.trim());
  return names.every((name) => isFileName(name, { spaces: true })) ? names : [];
}

/** The last file named before the request, which "it" or 它 stands for. */
export function earlierName(piece: Piece): string[] {
  return valuesOf(piece, piece.before, PATH).slice(-1);
}

/** Whether something was asked or read before, so that "it" may stand for what that brings. */
export function hasSource(piece: Piece): boolean {
  return /\b(?:ask|check with|confirm with|read|open|show|see|cat|what)\b|问|确认|读|看|打开/iu.test(
    piece.before,
  );
}
