import { ADDRESS, PATH, valuesOf } from "../marked-text.ts";
import type { Source, ToolRequest } from "../tool-request.ts";
import { mailFields, subjectFor } from "./mail-fields.ts";
import { hasSource, type Piece } from "./piece.ts";
import { referenceIn } from "./written-content.ts";

const STARTS = new RegExp(
  String.raw`^(?:(?:send|email|e-mail|mail|write|compose|draft|shoot|drop|forward|message|notify|tell|inform|let|ping|contact|reply|respond)(?:ing)?\b|(?:an? |the )?(?:e-?mail|mail|message)\b|to\s*[:：]|给|向|往|对|发|寄|写|回复?|把|将|用|以|通知|告诉|告知|转告|提醒|邮件|电邮|${ADDRESS})`,
  "iu",
);
const IS_MAIL =
  /^(?:to\s*[:：]|write to\s*[\uF000-\uF7FF])|\b(?:send|sent|e-?mail|mail|message|forward|notify|tell|inform|let|ping|contact|reply|respond|drop)|发|寄|邮|写[封信给]|写一封|信|通知|告诉|告知|转告|提醒|回复/iu;

const WRITES_FILE = new RegExp(`^(?:write|写).*${PATH}`, "isu");

/** One or more addresses in a row, with or without names: "Bob <bob@…>, amy@…". */
const ADDRESSES = String.raw`(?:[^\s,;:，；：、\uE000-\uF8FF]*\s*<?${ADDRESS}>?(?:\s*(?:[,，、;&]|\band\b|和|与|跟|及)\s*)*)+`;
const COPY = new RegExp(
  String.raw`[,，;；]?\s*(?:and )?(?:(?:with )?(?:a )?(?:\bcc\b|\bcopy(?:ing)?\b)(?: to)?|并?抄送(?:给|到)?)\s*[:：]?\s*(?<list>${ADDRESSES})`,
  "iu",
);

/** "email a.txt to bob@…", 把 a.txt 发给 bob@…, "email bob@… the file a.txt". */
const MAILS_FILE = new RegExp(
  String.raw`^(?:(?:send|e-?mail|mail|forward)(?:ing)?\s+(?:the )?(?:contents? of )?(?:the )?(?:file )?${PATH}(?: file)?\s+to\b|(?:send|e-?mail|mail)\s+${ADDRESS}\s+(?:the )?(?:contents? of )?(?:the )?(?:file )?${PATH}\s*$|(?:把|将)\s*(?:文件)?\s*${PATH}[^，。]{0,8}(?:发|寄))`,
  "iu",
);
/** "and send to bob@…", 再发给 bob@…: what was asked or read before is meant. */
const SENDS_ON = new RegExp(
  String.raw`^(?:(?:send|e-?mail|mail|forward)(?:ing)?\s+(?:(?<what>it|that|this|(?:the|my|his|her) (?:answer|reply|contents?|text))\s+)?to\b|(?:把|将)?(?<what>它|内容|我?的?(?:回答|答案))?\s*(?:用?邮件)?(?:发送?|寄)(?:给|到))\s*${ADDRESSES}[\s.!。！]*$`,
  "iu",
);

/** "email bob@… with subject … and body …", 给 bob@… 发邮件，主题…，正文…. */
export function mailRequests(piece: Piece): ToolRequest[] {
  if (!STARTS.test(piece.text) || !IS_MAIL.test(piece.text)) return [];
  // "write bob@… to contacts.txt" is about a file.
  if (WRITES_FILE.test(piece.text) && !/mail|message|邮|信/iu.test(piece.text)) return [];

  const copy = COPY.exec(piece.text);
  const cc = valuesOf(piece, copy?.groups?.["list"] ?? "", ADDRESS);
  const text = copy ? piece.text.replace(copy[0], " ") : piece.text;
  const to = valuesOf(piece, text, ADDRESS);
  if (to.length === 0) return [];
  const addressed = { to, ...(cc.length > 0 ? { cc } : {}) };
  const awaiting = (subject: string, source: Source): ToolRequest => {
    const args = { ...addressed, subject, body: "" };
    return { name: "send_email", args, awaits: { argument: "body", source } };
  };

  if (MAILS_FILE.test(text)) {
    const [path = ""] = valuesOf(piece, text, PATH);
    return [{ name: "read_file", args: { path } }, awaiting(path, "latest")];
  }
  const sentOn = SENDS_ON.exec(text)?.groups;
  if (sentOn) {
    const source = referenceIn(sentOn["what"] ?? "") ?? "latest";
    return hasSource(piece) ? [awaiting("", source)] : [];
  }

  const { subject, body } = mailFields({ text, marks: piece.marks });
  if (subject === undefined && body === undefined) return [];
  const source = referenceIn(body ?? "");
  if (source && hasSource(piece)) return [awaiting(subject ?? "", source)];
  const args = {
    ...addressed,
    subject: subject ?? subjectFor(body ?? ""),
    body: body ?? subject ?? "",
  };
  return [{ name: "send_email", args }];
}
