import { QUOTE, restored, valuesOf } from "../marked-text.ts";
import { withoutCourtesy } from "../preamble.ts";
import type { Source } from "../tool-request.ts";
import { FILE, type Piece } from "./piece.ts";
import type { WrittenFile } from "./written-file.ts";

/** What a request writes: quoted text is taken word for word, plain text may still be a pronoun. */
export type WrittenContent =
  | { readonly type: "quoted"; readonly text: string }
  | { readonly type: "plain"; readonly text: string }
  | { readonly type: "none" };

const LABEL =
  /(?:\bwith\b|\bcontain(?:s|ing)\b|\b(?:says?|reads)\b|\bsaying\b|\breading\b|\b(?:contents?|text|words)\b|内容|里面|写[上着入道]?|填上?|说)[^\uE000-\uEFFF]{0,12}$/iu;
const AFTER_FILE =
  /^\s*(?:这个文件|文件)?(?:里面|里|中|内)?\s*[,，:：]?\s*(?:and (?:put|write|fill in) |that |which |并且?)?(?:with(?: (?:the|this))?(?: (?:contents?|text|words?|lines?))?(?: of)?|containing|contains|saying|says|reading|reads|it (?:should|must|shall) (?:say|contain|read)|里?面?(?:写|填)[上着入下]?|内容(?:写|填)?|说)(?:\s*(?:是|为|:|：|,|，))?\s*(?<content>.+)$/isu;
const BEFORE_FILE =
  /^(?:把|将)?(?:\b(?:writ(?:e|ing)|sav(?:e|ing)|put(?:ting)?|stor(?:e|ing)|record(?:ing)?|not(?:e|ing)(?: down)?|jot(?: down)?|typ(?:e|ing)|enter(?:ing)?|set|add)\b(?: down)?|写入|写下|写|保存|存|记录|记下|记|放|填|输入)?\s*(?:(?:the|this|these) (?:text|words?|sentences?|lines?|following)\b|text\b|文字|文本|这句话|内容)?\s*[:：]?/iu;
const VERB_AT_END = /(?:写入|写|保存|另存|存|记录|记|放|填|录入|录|输入)\s*$/u;
const ONLY_A_FILE =
  /^(?:\s|\b(?:an?|the|my|new|empty|blank|text|file|document|note|called|named|creat(?:e|ing)|mak(?:e|ing)|start|generat(?:e|ing)|updat(?:e|ing)|overwrit(?:e|ing)|replac(?:e|ing)|fill(?:ing)?|draft(?:ing)?|add(?:ing)?|in|to)\b|新建|创建|建立|建|生成|制作|更新|覆盖|修改|文件|文档|一个|一份|新的?|空的?|白|在|往|向|到|给我?|个)*[,，]?$/iu;
const REFERENCE =
  /^(?:it|that|this|them|(?:the|my|your|his|her|that) (?:answers?|repl(?:y|ies)|response|choice|contents?|text|result)|(?:its|the file's|their) (?:contents?|text)|what i (?:say|said|answer|answered|choose|chose|prefer|reply)|我?的?(?:回答|答案|回复|选择)|它的?(?:内容|全文)?|其内容|结果)$/iu;

const ANSWER = /answer|repl|response|choice|cho?ose|what i|回答|答案|回复|选择/iu;

/** Finds the content of a request that writes to `file`. */
export function contentOf(piece: Piece, file: WrittenFile): WrittenContent {
  const marks = [...piece.text.matchAll(new RegExp(FILE, "gu"))].filter(
    ({ index }) => index !== file.to - 1,
  );
  const labelled = marks.find(({ index }) => LABEL.test(piece.text.slice(0, index)));
  const quoted = marks.find(([key]) => new RegExp(QUOTE, "u").test(key));
  // `write "a.txt" to b.txt`: a quoted file name may be content, too.
  const quotedName = marks.find(([key]) => /^["'“”‘「『`]/.test(piece.marks.get(key)?.raw ?? ""));
  const chosen = labelled ?? quoted ?? quotedName;
  if (chosen) return { type: "quoted", text: valuesOf(piece, chosen[0], FILE)[0] ?? "" };

  const tail = piece.text.slice(file.to);
  const after = AFTER_FILE.exec(tail)?.groups?.["content"] ?? "";
  const before = piece.text.slice(0, file.from).replace(VERB_AT_END, "").replace(BEFORE_FILE, "");
  const found = [
    after,
    !file.isPlace || ONLY_A_FILE.test(before) ? "" : before,
    /^\s*[:：]/.test(tail) ? tail.slice(1) : "",
  ]
    .map((text) => withoutCourtesy(restored(piece, text)))
    .find((text) => text !== "");
  return found === undefined ? { type: "none" } : { type: "plain", text: found };
}

/** What a content stands for when it is "it", "the answer" or 我的回答: what an earlier request brings. */
export function referenceIn(content: string): Source | undefined {
  if (!REFERENCE.test(content)) return undefined;
  return ANSWER.test(content) ? "answer" : "latest";
}
