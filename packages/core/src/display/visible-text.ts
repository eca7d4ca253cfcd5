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

const wideText =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303F\uFF01-\uFF60]/u;
const picture = /\p{Extended_Pictographic}/u;
const skinTone = /\p{Emoji_Modifier}/u;
const keycapBase = /[0-9#*]/u;

/**
 * Splits any text into pieces a person can safely read: invisible, bidirectional and control
 * characters and look-alike spaces become visible escapes such as `\u{202E}`, never dropped.
 * Line feeds and tabs stay. What is ordinary in its place stays too: an ideographic space next to
 * Chinese or Japanese text, and the invisible parts inside an emoji.
 */
export function visiblePieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let plain = "";
  const characters = Array.from(text);
  characters.forEach((character, index) => {
    const kind = hiddenKind(character, characters, index);
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
  characters: readonly string[],
  index: number,
): HiddenKind | undefined {
  if (character === "\n" || character === "\t") return undefined;
  if (bidirectional.test(character)) return "bidirectional";
  if (character === "\u3000" && isBesideWideText(characters, index)) return undefined;
  if (oddSpace.test(character)) return "space";
  if (control.test(character)) return "control";
  if (isInsideEmoji(character, characters, index)) return undefined;
  return invisible.test(character) ? "invisible" : undefined;
}

function isBesideWideText(characters: readonly string[], index: number): boolean {
  return wideText.test(characters[index - 1] ?? "") || wideText.test(characters[index + 1] ?? "");
}

/** An emoji presentation selector after a picture or in a keycap, or a joiner between two pictures. */
function isInsideEmoji(character: string, characters: readonly string[], index: number): boolean {
  const before = characters[index - 1] ?? "";
  const after = characters[index + 1] ?? "";
  if (character === "\uFE0F")
    return picture.test(before) || (keycapBase.test(before) && after === "\u20E3");
  if (character !== "\u200D" || !picture.test(after)) return false;
  const selected = before === "\uFE0F" && picture.test(characters[index - 2] ?? "");
  return selected || picture.test(before) || skinTone.test(before);
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}}`;
}
