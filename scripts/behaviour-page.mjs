// Writes docs/guides/what-changes.md and its translation from the behaviour table, or says that they
// are outdated. `npm run format` writes them, `npm run check` compares them.
import "./node-version.mjs";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { format } from "prettier";
import { behaviourTable } from "../packages/langchain/src/behaviour/behaviour-table.ts";
import { root } from "./run-tool.mjs";

/** @typedef {"en" | "zh"} Language */

const notice = "<!-- Written by `npm run format` from packages/langchain/src/behaviour. -->";

/** @type {ReadonlyArray<{ file: string, language: Language, opening: string, heads: string[] }>} */
const pages = [
  {
    file: "docs/guides/what-changes.md",
    language: "en",
    heads: ["", "situation", "LangChain's middleware", "Holdpoint's"],
    opening: `# What changes when you switch

English · [简体中文](what-changes.zh-CN.md)

To switch from LangChain's \`humanInTheLoopMiddleware\`, change one import:

\`\`\`ts file=snippets/one-line.test.ts#import
import { humanInTheLoopMiddleware } from "@holdpoint/langchain"; // was: "langchain"
\`\`\`

Options, payload and decisions keep their names, and the answers your pages send today are understood.
The payload has more fields than before. It works with the checkpointer you have; with an engine
(\`holdpoint\`) every review is also a record on disk, with one winner across processes.

What is different is below: 39 situations, what LangChain's middleware does in each (langchain 1.5.14 and
LangGraph 1.7.3, measured), and what ours does. Each row has tests that begin with its number; they show
the fault on LangChain's middleware first and then run ours, with and without an engine.`,
  },
  {
    file: "docs/guides/what-changes.zh-CN.md",
    language: "zh",
    heads: ["", "情形", "LangChain 的中间件", "Holdpoint 的中间件"],
    opening: `# 换用之后有什么不同

[English](what-changes.md) · 简体中文

要换掉 LangChain 的 \`humanInTheLoopMiddleware\`，只改一行 import：

\`\`\`ts file=snippets/one-line.test.ts#import
import { humanInTheLoopMiddleware } from "@holdpoint/langchain"; // was: "langchain"
\`\`\`

选项、请求和决定的名称都不变，你的页面现在发出的答复照样能用，请求里只是多了一些字段。检查点存储用原来的就行；如果再给它一个引擎（\`holdpoint\`），每个审批还会成为一条落盘的记录，跨进程也只有一个结论算数。

不同之处都在下面：39 种情形，LangChain 的中间件会怎样（在 langchain 1.5.14 和 LangGraph 1.7.3 上实测），我们的又会怎样。每一行都有以它的编号开头的测试：先在 LangChain 的中间件上重现问题，再分别在有引擎和没有引擎时运行我们的。`,
  },
];

/**
 * What is wrong with the pages of a checkout, one finding a line. A page that is not there is wrong in
 * this repository only.
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
export async function findOutdatedPages(folder) {
  const findings = [];
  for (const page of pages) {
    const path = join(folder, page.file);
    if (!existsSync(path) && folder !== root) continue;
    if (existsSync(path) && readFileSync(path, "utf8") === (await writePage(page))) continue;
    findings.push(`${page.file}:1: is not what the behaviour table says; run npm run format`);
  }
  return findings;
}

/** Writes the pages of this repository. */
export async function writePages() {
  for (const page of pages) writeFileSync(join(root, page.file), await writePage(page));
}

/** @param {(typeof pages)[number]} page */
async function writePage({ language, opening, heads }) {
  const themes = behaviourTable.map(({ title, rows }) =>
    [
      `## ${title[language]}`,
      "",
      tableLine(heads),
      tableLine(heads.map(() => "---")),
      ...rows.map((row) => {
        const { situation, stock, ours } = row[language];
        return tableLine([`**${row.id}**`, situation, stock, ours]);
      }),
    ].join("\n"),
  );
  return format([notice, opening, ...themes].join("\n\n"), { parser: "markdown", printWidth: 100 });
}

/** @param {string[]} cells */
function tableLine(cells) {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

if (process.argv[1] === import.meta.filename) await writePages();
