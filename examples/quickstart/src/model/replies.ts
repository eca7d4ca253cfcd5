import type { Conversation, PastCall, PastResult } from "./conversation.ts";
import type { Language } from "./language.ts";
import { listed, pastPhrase, phrase } from "./phrases.ts";
import type { Step } from "./next-step.ts";
import { type Doubt, textArgument } from "./tool-request.ts";

/** The sentence that goes with tool calls: what the model is about to do. */
export function intentReply(
  step: Extract<Step, { type: "start" | "adjust" }>,
  language: Language,
): string {
  const plan = listed(
    step.requests.map((request) => phrase(request, language)),
    language,
  );
  if (step.type === "adjust") {
    return language === "en"
      ? `The reviewer asked for something else, so I will ${plan}.`
      : `按照审批人的意见，我换个做法：${plan}。`;
  }
  return language === "en" ? `I will ${plan}.` : `我这就${plan}。`;
}

/** What happened to every call that was made for the request, in the user's language. */
export function reportReply({ rounds }: Conversation, language: Language): string {
  const sentences = rounds.flat().map((call) => outcome(call, language));
  // Rejected calls of the last round are the ones that were not followed by something else.
  const isOpen = rounds.at(-1)?.some(({ result }) => result?.type === "rejected") ?? false;
  if (isOpen) sentences.push(CLOSING[language]);
  return sentences.join("\n\n");
}

/** The answer to a message that can be read in more than one way: nothing was done. */
export function clarifyReply(doubts: readonly Doubt[], language: Language): string {
  const sentences = doubts.map(({ type, text }) => {
    if (type === "amount") {
      return language === "en"
        ? `I am not sure which amount “${text}” is. Please write one amount in digits, with at most two decimals, in EUR, USD or CNY: for example 1500.50 EUR.`
        : `我不确定“${text}”是多少钱。请用数字写出一个金额，最多两位小数，币种为欧元、美元或人民币，例如 1500.50 欧元。`;
    }
    return language === "en"
      ? `I am not sure whether the file is called “${text}”. Please put its name in quotation marks.`
      : `我不确定文件名是不是“${text}”。请用引号把文件名括起来。`;
  });
  const nothing = language === "en" ? "I have not done anything yet." : "目前什么都还没有做。";
  return [...new Set(sentences), nothing].join("\n\n");
}

/** The answer to a message in which no request was found. */
export function helpReply(language: Language): string {
  return HELP[language];
}

function outcome(call: PastCall, language: Language): string {
  const isEnglish = language === "en";
  const what = phrase(call, language);
  const { result } = call;
  switch (result?.type) {
    case undefined:
      return isEnglish ? `I have no result for the request to ${what}.` : `${what}还没有结果。`;
    case "done":
      return done(call, result.text, language);
    case "answered":
      return isEnglish
        ? `The reviewer answered the request to ${what}: “${result.text}”`
        : `关于${spaced(what)}这一步，审批人的答复是：“${result.text}”。`;
    case "failed":
      return isEnglish
        ? `I could not ${what}: ${result.text}`
        : `${spaced(what)}失败，工具返回的说明是：${result.text}`;
    case "stopped":
      return isEnglish
        ? `The request to ${what} was stopped; it was not executed.${withSpace(result.text)}`
        : `${spaced(what)}这一步被拦下，没有执行。${result.text === "" ? "" : `说明：${result.text}`}`;
    case "unknown":
      return unknown(call, result, language);
    case "rejected":
      if (result.reason === undefined) {
        return isEnglish
          ? `The reviewer did not allow me to ${what}; it was not executed.`
          : `审批人没有同意我${what}，这一步没有执行。`;
      }
      return isEnglish
        ? `The reviewer did not allow me to ${what}: “${result.reason}”`
        : `审批人没有同意我${what}，意见是：“${result.reason}”。`;
    default:
      return result satisfies never;
  }
}

function unknown(
  call: PastCall,
  { cause, reason }: Extract<PastResult, { type: "unknown" }>,
  language: Language,
): string {
  const quoted = reason === undefined ? "" : `“${reason}”`;
  if (language === "en") {
    const start = `It is not known whether I ${pastPhrase(call)}`;
    if (cause === "stopped") return `${start}: the call was stopped, and it may have run.`;
    const left = `${start}: the call was started once, and nobody knows whether it finished. The reviewer decided not to run it again`;
    return quoted === "" ? `${left}.` : `${left}: ${quoted}`;
  }
  const start = `不确定是否已经${phrase(call, language)}`;
  if (cause === "stopped") return `${start}：这次调用被中途停止，可能已经执行。`;
  const left = `${start}：这次调用启动过一次，但没有人知道它有没有完成。审批人决定不再执行`;
  return quoted === "" ? `${left}。` : `${left}，意见是：${quoted}。`;
}

/** Chinese is set off from code by a space. */
function spaced(what: string): string {
  return what.endsWith("`") ? `${what} ` : what;
}

function withSpace(text: string): string {
  return text === "" ? "" : ` ${text}`;
}

function done(call: PastCall, text: string, language: Language): string {
  const isEnglish = language === "en";
  const path = textArgument(call.args, "path");
  switch (call.name) {
    case "read_file":
      if (text.trim() === "") return isEnglish ? `\`${path}\` is empty.` : `\`${path}\` 是空的。`;
      return `${isEnglish ? `\`${path}\` says:` : `\`${path}\` 的内容是：`}\n\n${text.trimEnd()}`;
    case "ask_user":
      return isEnglish ? `You answered: “${text}”` : `你的回答是：“${text}”。`;
    default:
      return isEnglish ? `I ${pastPhrase(call)}.` : `已${phrase(call, language)}。`;
  }
}

const CLOSING: Readonly<Record<Language, string>> = {
  en: "I will not try that again on my own. How would you like to proceed?",
  "zh-CN": "我不会再自行尝试。接下来要怎么做，请告诉我。",
};

const HELP: Readonly<Record<Language, string>> = {
  en: `I only understand a few kinds of requests, alone or several in one message:

- Read a file: What's in notes/today.md?
- Write a file: Write "Call the printer" to drafts/todo.md
- Delete a file: Delete reports/q3.md
- Archive a file: Archive notes/today.md
- Send a mail: Email finance@example.com with subject "Q3" and body "The report is ready."
- Refund an order: Refund order A-1002 by 1500 EUR because the screen arrived broken
- Ask you something first: Ask me which colour I like`,
  "zh-CN": `我只听得懂下面这几类请求，可以单独说，也可以在一条消息里说好几件：

- 读文件：看看 notes/today.md
- 写文件：把“给印刷厂打电话”写到 drafts/待办.md
- 删除文件：删除 reports/q3.md
- 归档文件：归档 notes/today.md
- 发邮件：给 finance@example.com 发邮件，主题“三季度报表”，正文“报表已经做好了。”
- 退款：给订单 A-1002 退款 1500 欧元，因为屏幕到货时已损坏
- 先问你一句：问我喜欢什么颜色`,
};
