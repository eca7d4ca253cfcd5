import type { PermitStatus } from "@holdpoint/core";
import { defineTexts } from "../language/language.ts";
import type { OutcomeKind } from "../review/outcome-kind.ts";

type OutcomeWord = OutcomeKind | "mixed";

type InboxTexts = {
  readonly title: string;
  readonly lists: string;
  readonly waiting: string;
  readonly decided: string;
  readonly order: { readonly newest: string; readonly oldest: string; readonly label: string };
  readonly loading: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly noneDecidedTitle: string;
  readonly noneDecided: string;
  readonly loadMore: string;
  readonly held: (count: number) => string;
  readonly arrived: (count: number) => string;
  readonly lost: string;
  readonly refused: (message: string) => string;
  readonly waitedFor: (time: string) => string;
  readonly askedFor: (text: string) => string;
  readonly others: (count: number) => string;
  readonly mayHaveRun: string;
  readonly left: string;
  readonly ownPage: string;
  readonly conversation: string;
  readonly noArguments: string;
  readonly by: (name: string) => string;
  readonly outcomes: Readonly<Record<OutcomeWord, string>>;
  readonly receipts: Readonly<Record<PermitStatus, string>>;
};

const en: InboxTexts = {
  title: "Inbox",
  lists: "Reviews",
  waiting: "Waiting",
  decided: "Decided",
  order: { newest: "Newest first", oldest: "Oldest first", label: "Order: " },
  loading: "Loading reviews…",
  emptyTitle: "Nothing is waiting for you",
  empty: "When an agent wants to do something that needs a person, it appears here by itself.",
  noneDecidedTitle: "Nothing has been decided yet",
  noneDecided: "Decisions appear here with who made them and what came of them.",
  loadMore: "Load more",
  held: (count) => (count === 1 ? "Show 1 new review" : `Show ${count} new reviews`),
  arrived: (count) =>
    count === 1 ? "New review: 1 is waiting" : `New review: ${count} are waiting`,
  lost: "No connection to the server. What you see may be out of date; trying again by itself.",
  refused: (message) => `The list could not be brought up to date: ${message}`,
  waitedFor: (time) => `Waiting for ${time}`,
  askedFor: (text) => `“${text}”`,
  others: (count) => `+${count} more`,
  mayHaveRun: "May have run",
  left: "No longer waiting",
  ownPage: "Link to this review",
  conversation: "Go to the conversation",
  noArguments: "no arguments",
  by: (name) => `by ${name}`,
  outcomes: {
    approved: "Approved",
    edited: "Approved with changes",
    rejected: "Rejected",
    expired: "Deadline passed",
    answered: "Answered",
    closed: "Closed",
    mixed: "Decided one by one",
  },
  receipts: {
    unused: "Not run yet",
    started: "Running",
    suspended: "Paused while running",
    succeeded: "Ran",
    failed: "Failed",
    unknown: "May have run",
    revoked: "Not run",
  },
};

const zh: InboxTexts = {
  title: "收件箱",
  lists: "审批列表",
  waiting: "待处理",
  decided: "已处理",
  order: { newest: "最新在前", oldest: "最早在前", label: "排序：" },
  loading: "正在加载…",
  emptyTitle: "没有等待你处理的审批",
  empty: "需要人工确认的操作会自动出现在这里。",
  noneDecidedTitle: "还没有处理记录",
  noneDecided: "处理过的审批会显示在这里，包括由谁处理以及执行结果。",
  loadMore: "加载更多",
  held: (count) => `显示 ${count} 项新审批`,
  arrived: (count) => `有新的审批，共 ${count} 项待处理`,
  lost: "与服务器的连接已断开，当前内容可能不是最新的，正在自动重试。",
  refused: (message) => `列表未能更新：${message}`,
  waitedFor: (time) => `已等待 ${time}`,
  askedFor: (text) => `“${text}”`,
  others: (count) => `另有 ${count} 项`,
  mayHaveRun: "可能已执行",
  left: "不再等待",
  ownPage: "这项审批的链接",
  conversation: "查看对话",
  noArguments: "无参数",
  by: (name) => `处理人：${name}`,
  outcomes: {
    approved: "已批准",
    edited: "修改后批准",
    rejected: "已拒绝",
    expired: "已过期限",
    answered: "已答复",
    closed: "已关闭",
    mixed: "已逐项处理",
  },
  receipts: {
    unused: "尚未执行",
    started: "执行中",
    suspended: "执行中挂起",
    succeeded: "已执行",
    failed: "执行失败",
    unknown: "可能已执行",
    revoked: "未执行",
  },
};

/** Texts of the inbox and of a review on its own page. */
export const useInboxTexts = defineTexts<InboxTexts>({ en, "zh-CN": zh });
