import { defineTexts } from "../language/language.ts";

/** Texts of the header and of pages that do not exist. */
export const useShellTexts = defineTexts({
  en: {
    main: "Main",
    inbox: "Inbox",
    chat: "Chat",
    skip: "Skip to content",
    open: (count: string) => `${count} waiting`,
    notFound: "There is no page at this address.",
    toInbox: "Go to the inbox",
    loading: "Loading…",
    broken: "This page failed to show.",
    reload: "Reload",
  },
  "zh-CN": {
    main: "主导航",
    inbox: "收件箱",
    chat: "对话",
    skip: "跳到正文",
    open: (count: string) => `${count} 项待处理`,
    notFound: "页面不存在。",
    toInbox: "前往收件箱",
    loading: "正在加载…",
    broken: "页面显示出错。",
    reload: "重新加载",
  },
});
