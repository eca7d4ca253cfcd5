import {
  ADDRESS,
  type MarkedText,
  PATH,
  QUOTE,
  restored,
  type Span,
  withMarks,
} from "./marked-text.ts";

/** Words after which a colon opens content that is taken word for word. */
const LABEL = new RegExp(
  [
    String.raw`\b(?:contents?|text|words|body|message|subject(?: line)?|title|reason|question|says?|saying|write|put|follow(?:s|ing)(?: (?:text|lines?|words|content))?|(?:ask|check with|confirm with) (?:me|the user)(?: (?:this|first))?)(?: is)?\s*$`,
    String.raw`(?:内容|正文|主题|标题|题目|原因|理由|问题|文字|文本|文案|写[上入下道着明]?|说明?|告诉(?:他们?|她们?)|如下|以下|下面(?:这[句段些]话)?|问问?(?:一下)?我(?:一下)?|询问我|(?:跟|和|与|向)我确认(?:一下)?|确认(?:一下)?)[是为]?\s*$`,
  ].join("|"),
  "iu",
);
const WRITING =
  /\b(?:write|save|put|store|create|make|add|record|note|jot|type|enter|update|replace|overwrite|send|e-?mail|mail|message|tell|ask)\b|写|存|记|建|创|更新|修改|覆盖|放|发|寄|告诉|通知/iu;
const PLACE = new RegExp(`(?:${PATH}|${ADDRESS}|this)\\s*(?:文件)?(?:里面?|中|内|上)?\\s*$`, "u");

/** Where content ends: at the next labelled field of a mail. */
const NEXT_FIELD =
  /[\s,;.，；。]*(?:\b(?:and |with )?(?:the )?(?:subject|title|body|text|message|content|cc|reason)|主题|标题|正文|内容|抄送|原因)\s*(?:is|是|为)?\s*[:：]/iu;

/**
 * Marks the content that follows a colon, as in "write to a.txt: milk, eggs and bread" or
 * "Subject: …". It reaches to the next field or the end of the line, and over further lines up to
 * one that is a request of its own.
 */
export function markColonContent(
  marked: MarkedText,
  isRequest: (line: string) => boolean,
): MarkedText {
  const spans: Span[] = [];
  let done = 0;
  for (const { index } of marked.text.matchAll(/[:：]/g)) {
    if (index < done || !opensContent(marked.text, index, done)) continue;
    const from = index + 1;
    const line = marked.text.slice(from);
    const isReason = /(?:reason(?: is)?|原因|理由)[是为]?\s*$/iu.test(
      marked.text.slice(done, index),
    );
    const to = from + (isReason ? line.search(/[;；。\n]|$/) : contentLength(line, isRequest));
    const content = marked.text.slice(from, to);
    if (content.trim() === "") continue;
    spans.push({ from, to, value: restored(marked, content).trim() });
    done = to;
  }
  return withMarks(marked, "quote", spans);
}

function opensContent(text: string, colon: number, start: number): boolean {
  const after = text.slice(colon + 1);
  if (new RegExp(`^\\s*(?:${QUOTE}|${ADDRESS})|^//|^\\\\`, "u").test(after)) return false;
  if (/\d$/.test(text.slice(0, colon)) && /^\d/.test(after)) return false;
  const before = text.slice(start, colon);
  const sentence = before.slice(before.search(/[^.;!?\n；。！？]*$/));
  return LABEL.test(before) || (PLACE.test(before) && WRITING.test(sentence));
}

function contentLength(text: string, isRequest: (line: string) => boolean): number {
  const field = NEXT_FIELD.exec(text);
  const limit = field ? field.index : text.length;
  const lines = text.slice(0, limit).split("\n");
  const next = lines.findIndex((line, number) => number > 0 && isRequest(line));
  if (next === -1) return limit;
  return lines.slice(0, next).join("\n").length;
}
