import { mailFields } from "../intents/mail-fields.ts";
import { ADDRESS, QUOTE } from "../marked-text.ts";
import { textArgument } from "../tool-request.ts";
import { type Advice, isRuledOut } from "./advice.ts";
import { otherContent } from "./other-content.ts";

type Args = Readonly<Record<string, unknown>>;

const SUBJECT = /\b(?:subject|title)\b|主题|标题/iu;

/** The mail as the advice wants it: other recipients, a copy, another subject or text. */
export function otherMail(advice: Advice, args: Args): Args {
  return { ...args, ...recipients(advice, args), ...texts(advice, args) };
}

function recipients(advice: Advice, args: Args): Args {
  const named = Array.from(advice.text.matchAll(new RegExp(ADDRESS, "gu")), ({ 0: key, index }) => {
    const before = advice.text.slice(0, index);
    const address = advice.marks.get(key)?.value ?? "";
    if (isRuledOut(advice, index)) return { address, role: "removed" };
    if (/(?:\bcc\b|\bcopy\b(?: to)?|抄送(?:给)?)[^.;。；]{0,10}$/iu.test(before))
      return { address, role: "cc" };
    if (/(?:\balso\b|\badd\b|\btoo\b|加上|也发给|同时发给)[^.;。；]{0,10}$/iu.test(before))
      return { address, role: "added" };
    return { address, role: "to" };
  });
  const inRole = (role: string) =>
    named.filter((one) => one.role === role).map(({ address }) => address);
  const kept = (list: unknown) =>
    addresses(list).filter((address) => !inRole("removed").includes(address));

  const replaced = inRole("to");
  const to = [...(replaced.length > 0 ? replaced : kept(args["to"])), ...inRole("added")];
  const cc = [...kept(args["cc"]), ...inRole("cc")];
  return { to: [...new Set(to)], ...(cc.length > 0 || args["cc"] ? { cc: [...new Set(cc)] } : {}) };
}

function texts(advice: Advice, args: Args): Args {
  const body = textArgument(args, "body");
  if (!new RegExp(QUOTE, "u").test(advice.text) || !SUBJECT.test(advice.text)) {
    return { body: otherContent(advice, body) };
  }
  const fields = mailFields(advice);
  return {
    ...(fields.subject === undefined ? {} : { subject: fields.subject }),
    ...(fields.body === undefined ? {} : { body: fields.body }),
  };
}

function addresses(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((address) => typeof address === "string") : [];
}
