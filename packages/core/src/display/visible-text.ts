/** A piece of text that is safe to show; `hidden` pieces stand for characters a person could not have seen. */
export type TextPiece =
  | { readonly type: "plain"; readonly text: string }
  | { readonly type: "hidden"; readonly text: string; readonly kind: HiddenKind };

/** Why a character cannot be shown as it is. */
export type HiddenKind = "invisible" | "bidirectional" | "control" | "space";

const bidirectional = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const oddSpace = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u2800]/u;
const invisible = /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
const control = /\p{Cc}/u;

/**
 * Splits any text into pieces a person can safely read: invisible, bidirectional and control
 * characters and look-alike spaces become visible escapes such as `\u{202E}`, never dropped.
 * Line feeds and tabs stay. An ideographic space next to CJK text is ordinary there and stays.
 */
export function visiblePieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let plain = "";
  const characters = Array.from(text);
  characters.forEach((character, index) => {
    const kind = hiddenKind(character, characters[index - 1], characters[index + 1]);
    if (kind === undefined) {
      plain += character;
      return;
    }
    if (plain !== "") pieces.push({ type: "plain", text: plain });
    plain = "";
    pieces.push({ type: "hidden", text: escapeOf(character), kind });
  });
  if (plain !== "") pieces.push({ type: "plain", text: plain });
  return pieces;
}

/** The same as one string, for terminals, logs and messages. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => piece.text)
    .join("");
}

/** True when the text has characters that a person could not have seen. */
export function hasHiddenCharacters(text: string): boolean {
  return visiblePieces(text).some((piece) => piece.type === "hidden");
}

function hiddenKind(
  character: string,
  before: string | undefined,
  after: string | undefined,
): HiddenKind | undefined {
  if (character === "\n" || character === "\t") return undefined;
  if (bidirectional.test(character)) return "bidirectional";
  if (character === "\u3000" && (isHan(before) || isHan(after))) return undefined;
  if (oddSpace.test(character)) return "space";
  if (control.test(character)) return "control";
  if (character === "\uFE0F" && before !== undefined && /\p{Emoji}/u.test(before)) return undefined;
  if (character === "\u200D" && isPictograph(after)) return undefined;
  return invisible.test(character) ? "invisible" : undefined;
}

function isHan(character: string | undefined): boolean {
  return character !== undefined && /[\p{Script=Han}\u3001-\u303F\uFF01-\uFF60]/u.test(character);
}

function isPictograph(character: string | undefined): boolean {
  return character !== undefined && /\p{Extended_Pictographic}/u.test(character);
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}}`;
}
