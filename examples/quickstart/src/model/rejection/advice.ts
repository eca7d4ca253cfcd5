import { markAddresses } from "../addresses.ts";
import { markColonContent } from "../colon-content.ts";
import { markFileNames } from "../file-names.ts";
import { type MarkedText, unmarked } from "../marked-text.ts";
import { markQuotations } from "../quotations.ts";

/**
 * What a reviewer's reason tells the assistant to do. `isExplicit` says that the reviewer wrote it
 * as the alternative ("Instead: …", 改为：…), so that all of it may be taken at its word.
 */
export type Advice = MarkedText & { readonly isExplicit: boolean };

const INSTEAD =
  /(?:\binstead|改为|改成|换成)\s*[:：]\s*(?<advice>[\s\S]*?)(?=[.。;；]?\s*(?:(?:within these )?(?:bounds|limits)|限制|范围)\s*[:：]|$)/iu;
const BOUNDS = /(?:(?:within these )?(?:bounds|limits)|限制|范围)\s*[:：]\s*(?<bounds>[\s\S]*)$/iu;
/**
 * Why it was rejected names things to stay away from, such as the file that must not be changed;
 * unless it names a limit.
 */
const WHY =
  /(?:\bbecause\b|\bsince\b|因为|由于)(?![^,.;，。；\n]*(?:at most|no more than|up to|limit|maximum|不超过|不能超过|最多|上限))[^,.;，。；\n]*/giu;

/** Finds the advice in a reason; bounds ("at most 200 characters", 限制：…) are part of it. */
export function adviceIn(reason: string): Advice {
  const marked = markColonContent(
    markFileNames(markAddresses(markQuotations(unmarked(reason)))),
    () => false,
  );
  const instead = INSTEAD.exec(marked.text)?.groups?.["advice"];
  const bounds = BOUNDS.exec(marked.text)?.groups?.["bounds"] ?? "";
  const text = instead === undefined ? marked.text.replace(WHY, " ") : `${instead}\n${bounds}`;
  return { text, marks: marked.marks, isExplicit: instead !== undefined };
}

/** Whether what stands before `at` in the same clause says no: "not", "don't", 不要. */
export function isRuledOut(advice: Advice, at: number): boolean {
  return /(?:\b(?:not|don['’]?t|never|avoid|without|instead of|rather than|remove|drop)\b|不要|不能|不是|不可|别|勿|而不是|去掉|移除)[^,.;，。；\n\uE000-\uF8FF]*$/iu.test(
    advice.text.slice(0, at),
  );
}
