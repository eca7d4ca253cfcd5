import { isFileName } from "../file-names.ts";
import { QUOTE, QUOTE_OR_PATH, valuesOf } from "../marked-text.ts";
import type { Advice } from "./advice.ts";

const REPLACE = new RegExp(
  `(?:\\b(?:replace|change)\\b\\s*(?<old>${QUOTE_OR_PATH})\\s*(?:with|by|to|into)|(?:把|将)\\s*(?<alt>${QUOTE_OR_PATH})\\s*(?:改成|改为|换成|替换成|替换为))\\s*(?<new>${QUOTE_OR_PATH})`,
  "iu",
);
const REMOVE = new RegExp(
  `(?:\\b(?:remove|drop|without|leave out|omit|delete)\\b(?: the (?:words?|sentence|line|part))?|去掉|删掉|删除|不要写?|不提)\\s*(?<old>${QUOTE})`,
  "iu",
);
const LONGEST = [
  /(?:at most|no more than|not more than|up to|max(?:imum)?(?: of)?|within|不超过|最多|至多|控制在)\s*(?<count>\d+)\s*(?<unit>characters?|chars?|letters|words?|个?字符?)/iu,
  /(?<count>\d+)\s*(?<unit>characters?|chars?|words?|个?字符?)\s*(?:at most|max(?:imum)?|or (?:less|fewer)|以内|以下)/iu,
];
const BELOW =
  /(?:under|below|less than|fewer than|shorter than|少于|低于|短于)\s*(?<count>\d+)\s*(?<unit>characters?|chars?|letters|words?|个?字符?)/iu;

/** The text as the advice wants it: other words in quotation marks, words replaced, or shorter. */
export function otherContent(advice: Advice, content: string): string {
  return shortened(advice, reworded(advice, content));
}

function reworded(advice: Advice, content: string): string {
  const replace = REPLACE.exec(advice.text)?.groups;
  if (replace) {
    const [before = ""] = valuesOf(advice, replace["old"] ?? replace["alt"] ?? "", QUOTE_OR_PATH);
    const [after = ""] = valuesOf(advice, replace["new"] ?? "", QUOTE_OR_PATH);
    if (content.includes(before)) return content.replaceAll(before, after);
    return after;
  }
  const [removed] = valuesOf(advice, REMOVE.exec(advice.text)?.groups?.["old"] ?? "", QUOTE);
  if (removed !== undefined) return content.replaceAll(removed, "").replace(/ {2,}/g, " ").trim();
  const [quoted] = valuesOf(advice, advice.text, QUOTE).filter(
    (value) => !isFileName(value, { spaces: true }),
  );
  return quoted ?? content;
}

function shortened(advice: Advice, content: string): string {
  const limit = LONGEST.map((pattern) => pattern.exec(advice.text)?.groups).find((found) => found);
  const below = BELOW.exec(advice.text)?.groups;
  const found = limit ?? below;
  if (!found) return content;
  const most = Number(found["count"]) - (limit ? 0 : 1);
  if (/word/i.test(found["unit"] ?? "")) {
    const words = content.split(/(?<=\s)(?=\S)/);
    return words.length > most ? words.slice(0, most).join("").trim() : content;
  }
  const characters = [...content];
  if (characters.length <= most) return content;
  return most < 1 ? "" : `${characters.slice(0, most - 1).join("")}…`;
}
