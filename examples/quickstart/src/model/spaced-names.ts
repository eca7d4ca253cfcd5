const WORD = String.raw`[\p{L}\p{N}_~+\-]+`;
/** Words that join a name to a sentence and are no part of it. */
const JOINS =
  /^(?:an?|and|as|at|by|contain(?:s|ing)|for|from|in|inside|into|it|me|of|on|onto|or|please|plus|saying|that|the|then|this|to|under|with)$/iu;

/** "drafts/My " in front of "Notes.md": a path whose last part has no ending yet. */
const OPEN_PATH = new RegExp(
  String.raw`(?<![^\s:：,，;；。\p{Script=Han}\uE000-\uF8FF])(?<head>(?:[\p{L}\p{N}_.~+\-]+/)+${WORD}(?: ${WORD}){0,4}) $`,
  "u",
);
const NOT_A_PATH = /^(?:and\/or|yes\/no|he\/she|his\/her|\d+\/\d+)$/iu;
/** "to My " in front of "Notes.md": capitals where a sentence has none. */
const CAPITALS =
  /\b(?:to|into|in|inside|as|under|called|named|file|read|open|show|view|delete|remove|erase|archive)(?: (?:the|file))* (?<head>(?:(?!(?:The|A|An|Me|File)\b)\p{Lu}[\p{L}\p{N}_-]* ){1,4})$/u;
/** "into the shopping " in front of "list.txt": it may be one name, or only said of it. */
const OTHER_WORDS =
  /\b(?:to|into|in|inside|as|under|called|named)(?: (?:an?|the|my|our|your|new|this|that|existing|empty|text|file|document|note|folder))* (?<head>(?:[\p{L}\p{N}_-]+ ){1,3})$/iu;
const ACTS =
  /^(?:an?|the|my|our|your|new|this|text|file|document|note|called|named|titled|writ(?:e|ing)|sav(?:e|ing)|put|stor(?:e|ing)|creat(?:e|ing)|mak(?:e|ing)|record|note|updat(?:e|ing)|overwrit(?:e|ing)|replac(?:e|ing)|fill|draft|generat(?:e|ing)|add|read|open|see|show|look|view|know|have|delete|remove|archive|mov(?:e|ing)|send|mail|e-?mail|refund|ask|first|also|just|now)$/iu;

/** Chinese words between two names rather than inside one. */
const CHINESE_ACTS = /[写删读看存归把将再和与给发到改]/u;

/** Words in front of a file name, with the space behind them, and whether they surely belong to it. */
type WordsOfName = { readonly text: string; readonly isSure: boolean };

/**
 * The beginning of a file name that was written with spaces and without quotation marks, as in
 * "drafts/My Notes.md"; `before` is the text in front of `name`, the part with the ending. Without it
 * another file than the one that was meant would be written.
 */
export function wordsOfName(before: string, name: string): WordsOfName | undefined {
  if (!/\.[A-Za-z0-9]+$/.test(name)) return undefined;
  const open = name.includes("/") ? undefined : OPEN_PATH.exec(before)?.groups?.["head"];
  if (open !== undefined) {
    const [path = "", ...others] = open.split(" ");
    const isJoined = others.some((word) => JOINS.test(word) || CHINESE_ACTS.test(word));
    return isJoined || NOT_A_PATH.test(path) ? undefined : { text: `${open} `, isSure: true };
  }
  const capitals = CAPITALS.exec(before)?.groups?.["head"];
  if (capitals !== undefined && /^[\p{Lu}\d]/u.test(name)) return { text: capitals, isSure: true };
  const words = OTHER_WORDS.exec(before)?.groups?.["head"];
  const isOther = words
    ?.trim()
    .split(" ")
    .every((word) => !JOINS.test(word) && !ACTS.test(word));
  return words !== undefined && isOther ? { text: words, isSure: false } : undefined;
}
