import { ADDRESS, QUOTE_OR_PATH, type MarkedText, restored } from "../marked-text.ts";
import { withoutCourtesy } from "../preamble.ts";

/** What a mail is to say, as far as the request tells. */
export type MailFields = {
  readonly subject: string | undefined;
  readonly body: string | undefined;
};

const IS = String.raw`\s*(?:\b(?:is|of|as|line|(?:should|must|needs to|has to) (?:be|say|read))\b|应该|改|换|是|为|成|叫|写|[:：=])*\s*`;
const SUBJECT = new RegExp(
  String.raw`(?:\b(?:with |and |using |under )*(?:the |a )?(?:subject(?: line)?|title|titled|about|regarding|re)\b|(?:邮件)?的?(?:主题|标题|题目))${IS}`,
  "iu",
);
const BODY = new RegExp(
  String.raw`(?:(?:\b(?:with |and |using )*(?:the |a )?(?:body(?: text)?|contents?|text|message(?! to\b)|saying|(?:that |which |and )?says?|tell(?:ing)? (?:him|her|them)|to say|reading|stating|that)\b(?: that\b)?|(?:邮件)?的?(?:正文|内容|内文|文字)|(?:信里|里面|告诉(?:他们?|她们?|大家|对方)|提醒(?:他们?|她们?|大家))写?|说明?|写[道上着])${IS})+`,
  "iu",
);
/** What is left of "drop bob@… a line: …" or 给 bob@… 发一封邮件… besides what the mail says. */
const NO_CONTENT =
  /^[\s>]*(?:[,，:：]|that\b)?\s*(?:(?:an? |the )?(?:quick |short )?(?:e-?mail|mail|message|note|line)\b\s*(?:saying|that)?)?(?:发|寄|写)?(?:送|一|个|封)*(?:电子)?(?:邮件|信|消息)?[，,：:\s]*/iu;

/** Finds subject and body: labelled ("subject …"), in quotation marks, or said after the address. */
export function mailFields(marked: MarkedText): MailFields {
  const subjectAt = SUBJECT.exec(marked.text);
  const bodyAt = BODY.exec(marked.text);
  const subject = valueAfter(marked, subjectAt, bodyAt);
  const body = valueAfter(marked, bodyAt, subjectAt);
  if (subject !== undefined && body !== undefined) return { subject, body };

  const [first, second] = Array.from(
    marked.text.matchAll(new RegExp(QUOTE_OR_PATH, "gu")),
    ([key]) => marked.marks.get(key)?.value ?? "",
  ).filter((value) => value !== subject && value !== body);
  if (subject !== undefined) return { subject, body: first };
  if (body !== undefined) return { subject: first, body };
  if (second !== undefined) return { subject: first, body: second };
  return { subject: undefined, body: first ?? saidAfterAddress(marked) };
}

/** A subject for a mail that was given none: the beginning of its text. */
export function subjectFor(body: string): string {
  const [sentence = ""] = body.trim().split(/(?<=[.!?])\s|[。！？\n]/);
  return sentence.length > 60 ? `${sentence.slice(0, 59)}…` : sentence;
}

function valueAfter(
  marked: MarkedText,
  label: RegExpExecArray | null,
  other: RegExpExecArray | null,
): string | undefined {
  if (!label) return undefined;
  const from = label.index + label[0].length;
  const quoted = marked.marks.get(marked.text.charAt(from));
  if (quoted && new RegExp(`^${QUOTE_OR_PATH}`, "u").test(marked.text.slice(from)))
    return quoted.value;
  const to = other && other.index > label.index ? other.index : marked.text.length;
  const words = marked.text
    .slice(from, to)
    .replace(new RegExp(`\\s*(?:to\\s+)?${ADDRESS}`, "gu"), "");
  const value = withoutCourtesy(restored(marked, words)).replace(/[\s,，]+(?:and|with)$/iu, "");
  return value === "" ? undefined : value;
}

/** "tell bob@… lunch is at noon", 通知 bob@… 明天开会. */
function saidAfterAddress(marked: MarkedText): string | undefined {
  const last = marked.text.search(new RegExp(`${ADDRESS}(?!.*${ADDRESS})`, "su"));
  const rest = marked.text.slice(last + 1).replace(NO_CONTENT, "");
  const value = withoutCourtesy(restored(marked, rest));
  return value === "" ? undefined : value;
}
