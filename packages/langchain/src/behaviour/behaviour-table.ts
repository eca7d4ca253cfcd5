import { answers } from "./table/answers.ts";
import { configuration } from "./table/configuration.ts";
import { decisions } from "./table/decisions.ts";
import { operation } from "./table/operation.ts";
import { otherMiddleware } from "./table/other-middleware.ts";
import type { Row } from "./table/row.ts";

/** The rows about one theme. */
export type Theme = {
  readonly title: { readonly en: string; readonly zh: string };
  readonly rows: readonly Row[];
};

/**
 * What changes for somebody who switches from LangChain's middleware to ours, theme by theme. Each row
 * has tests that begin with its id; `docs/guides/what-changes.md` is written from it.
 */
export const behaviourTable: readonly Theme[] = [
  { title: { en: "Answers and resume", zh: "答复与恢复" }, rows: answers },
  { title: { en: "The gate and its configuration", zh: "关卡与配置" }, rows: configuration },
  { title: { en: "Decisions", zh: "决定" }, rows: decisions },
  { title: { en: "Other middlewares", zh: "其他中间件" }, rows: otherMiddleware },
  { title: { en: "deepagents and operation", zh: "deepagents 与运维" }, rows: operation },
];
