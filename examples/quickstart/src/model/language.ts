import { markAddresses } from "./addresses.ts";
import { markFileNames } from "./file-names.ts";
import { unmarked } from "./marked-text.ts";
import { markQuotations } from "./quotations.ts";

/** The two languages the built-in rules speak; the keys of translated texts elsewhere. */
export type Language = "en" | "zh-CN";

/**
 * The language a person writes in: Chinese if there is a Han character outside quotations and file
 * names, so that "read 报告.txt" is English; with nothing else to go by, those count, too.
 */
export function languageOf(text: string): Language {
  const { text: words } = markFileNames(markAddresses(markQuotations(unmarked(text))));
  return /\p{Script=Han}/u.test(/\p{L}/u.test(words) ? words : text) ? "zh-CN" : "en";
}
