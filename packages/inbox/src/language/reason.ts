import type { ActionView, ReasonCode } from "@holdpoint/core";
import { defineTexts } from "./language.ts";

/** What a held call's reason is put into words from. */
export type Reasoned = Pick<ActionView, "name" | "reason" | "reasonCode">;

/** The server gives its reasons in English, with a code that says the same. */
const chineseReasons: Readonly<Record<ReasonCode, (tool: string) => string>> = {
  always: (tool) => `每次调用 ${tool} 都要先经人确认。`,
  condition: (tool) => `在这种情况下，调用 ${tool} 要先经人确认。`,
  condition_failed: (tool) => `${tool} 的判断条件没有给出“是”或“否”，因此需要人来确认。`,
  unlisted: (tool) => `规则中没有列出 ${tool}，因此需要人来确认。`,
  unknown_receipt: () => "这次调用已经开始执行，但没有返回结果，因此需要人来确认。",
  question: () => "智能体有问题需要你来回答。",
};

/** A hook that gives the function which says why a call is held, in the current language. */
export const useReason = defineTexts<(action: Reasoned) => string>({
  en: ({ reason }) => reason,
  "zh-CN": ({ name, reasonCode }) => chineseReasons[reasonCode](name),
});
