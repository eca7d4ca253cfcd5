import type { Language } from "./language.ts";
import type { ToolRequest } from "./tool-request.ts";

const IN_CHINESE = new Map([
  ["EUR", "欧元"],
  ["USD", "美元"],
  ["CNY", "元"],
]);

type Call = Pick<ToolRequest, "name" | "args">;

/** A call in words that follow "I will" or "I was not allowed to"; in Chinese, a verb phrase. */
export function phrase({ name, args }: Call, language: Language): string {
  const path = `\`${words(args["path"])}\``;
  const to = words(args["to"], language === "en" ? ", " : "、");
  const amount = words(args["amount"]);
  const currency = words(args["currency"]);
  const inEnglish: Readonly<Record<string, string>> = {
    read_file: `read ${path}`,
    write_file: `write to ${path}`,
    delete_file: `delete ${path}`,
    archive_file: `archive ${path}`,
    send_email: `send a mail to ${to}`,
    issue_refund: `refund ${amount} ${currency} on order ${words(args["order"])}`,
    ask_user: "ask you a question",
  };
  const inChinese: Readonly<Record<string, string>> = {
    read_file: `读取 ${path}`,
    write_file: `写入 ${path}`,
    delete_file: `删除 ${path}`,
    archive_file: `归档 ${path}`,
    send_email: `给 ${to} 发邮件`,
    issue_refund: `为订单 ${words(args["order"])} 退款 ${amount} ${IN_CHINESE.get(currency) ?? currency}`,
    ask_user: "向你提一个问题",
  };
  const phrases = language === "en" ? inEnglish : inChinese;
  return Object.hasOwn(phrases, name)
    ? (phrases[name] ?? name)
    : `${language === "en" ? "call" : "调用"} \`${name}\``;
}

/** A call that was made, in words that follow "I"; English only, Chinese says 已 and the phrase. */
export function pastPhrase(call: Call): string {
  const past: Readonly<Record<string, string>> = {
    write: "wrote",
    delete: "deleted",
    archive: "archived",
    send: "sent",
    refund: "refunded",
    call: "called",
    ask: "asked",
  };
  return phrase(call, "en").replace(/^\w+/, (verb) => past[verb] ?? verb);
}

/** Joins phrases the way a sentence does: "a, b and c"; a、b和c. */
export function listed(parts: readonly string[], language: Language): string {
  const last = parts.at(-1) ?? "";
  const first = parts.slice(0, -1);
  if (first.length === 0) return last;
  return language === "en" ? `${first.join(", ")} and ${last}` : `${first.join("，")}，然后${last}`;
}

function words(value: unknown, separator = ", "): string {
  if (Array.isArray(value)) return value.join(separator);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
