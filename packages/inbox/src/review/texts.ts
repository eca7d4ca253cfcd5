import { defineTexts } from "../language/language.ts";

/** Texts of the page of one review. */
export const useReviewTexts = defineTexts({
  en: {
    back: "Inbox",
    title: "Review",
    conversation: "Go to the conversation",
    loading: "Loading the review…",
    missing: "There is no review at this address. It may belong to another installation.",
    lost: "No connection to the server. What you see may be out of date; trying again by itself.",
    refused: (message: string) => `The review could not be shown: ${message}`,
  },
  "zh-CN": {
    back: "收件箱",
    title: "审批",
    conversation: "查看对话",
    loading: "正在加载…",
    missing: "没有找到这项审批，它可能属于另一个 Holdpoint。",
    lost: "与服务器的连接已断开，当前内容可能不是最新的，正在自动重试。",
    refused: (message: string) => `无法显示这项审批：${message}`,
  },
});
