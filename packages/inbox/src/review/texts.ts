import { defineTexts } from "../language/language.ts";

/** Texts of the page of one review. */
export const useReviewTexts = defineTexts({
  en: {
    back: "Inbox",
    title: "Review",
    loading: "Loading the review…",
    missing: "There is no review at this address. It may belong to another installation.",
    lost: "No connection to the server. What you see may be out of date; trying again by itself.",
    refused: (message: string) => `The review could not be shown: ${message}`,
  },
  "zh-CN": {
    back: "收件箱",
    title: "审批",
    loading: "正在加载…",
    missing: "这个地址没有对应的审批，它可能属于另一套 Holdpoint。",
    lost: "与服务器的连接已断开，当前内容可能不是最新的，正在自动重试。",
    refused: (message: string) => `无法显示这项审批：${message}`,
  },
});
