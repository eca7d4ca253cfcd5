import type { ActionView, ReasonCode } from "@holdpoint/core";
import { defineTexts } from "./language.ts";

/** What a held call's reason is put into words from. */
export type Reasoned = Pick<ActionView, "name" | "reason" | "reasonCode">;

/** The server gives its reasons in English, with a code that says the same. */
const chineseReasons: Readonly<Record<ReasonCode, (tool: string) => string>> = {
  always: (tool) => `每次调用 ${tool} 前都需要人工确认。`,
  condition: () => "这次调用符合规则条件，需要人工确认。",
  condition_failed: (tool) => `${tool} 的判断条件没有得出明确结果，因此需要人工确认。`,
  unlisted: (tool) => `规则中没有列出 ${tool}，因此需要人工确认。`,
  permission: (tool) => `文件权限规则要求，${tool} 在这个位置操作前需要人工确认。`,
  unknown_receipt: () => "这次调用已经开始执行，但没有返回结果，因此需要人工确认。",
  question: () => "智能体有一个问题要问你。",
};

/** A hook that gives the function which says why a call is held, in the current language. */
export const useReason = defineTexts<(action: Reasoned) => string>({
  en: ({ reason }) => reason,
  "zh-CN": ({ name, reasonCode }) => chineseReasons[reasonCode](name),
});
