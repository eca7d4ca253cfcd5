import { defineTexts } from "../language/language.ts";

/** Texts of the pages that are shown before somebody is signed in. */
export const useSessionTexts = defineTexts({
  en: {
    checking: "Loading…",
    entering: "Signing you in…",
    signedOutTitle: "Open the one-time link",
    signedOut:
      "Nobody is signed in here. Holdpoint printed a one-time link in the terminal where it was started; open that link in this browser.",
    linkTitle: "This link no longer works",
    link: "A one-time link works once, within a day. The terminal where Holdpoint runs shows the next one; open that.",
    linkLooksLike: "It looks like this:",
    unreachableTitle: "Holdpoint does not answer",
    unreachable: "Check that it is still running in its terminal, then try again.",
    retry: "Try again",
  },
  "zh-CN": {
    checking: "正在加载…",
    entering: "正在登录…",
    signedOutTitle: "请打开一次性链接",
    signedOut: "你还没有登录。Holdpoint 启动时会在终端里打印一个一次性链接，请在本浏览器中打开它。",
    linkTitle: "这个链接已失效",
    link: "一次性链接只能用一次，24 小时内有效。请到运行 Holdpoint 的终端里找到新的链接，打开它即可。",
    linkLooksLike: "链接形如：",
    unreachableTitle: "Holdpoint 没有响应",
    unreachable: "请确认它仍在终端中运行，然后重试。",
    retry: "重试",
  },
});
