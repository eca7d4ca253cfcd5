import process from "node:process";
import { HoldpointError } from "@holdpoint/core";
import { openEngine } from "@holdpoint/engine";
import { importThreads } from "@holdpoint/langchain";
import type { Language } from "./language.ts";
import { readOptions } from "./read-options.ts";

const text = { type: "string" } as const;

/** `holdpoint import`: moves threads from the tables of LangGraph's own savers. */
export async function importCommand(
  args: readonly string[],
  usage: string,
  language: Language,
): Promise<void> {
  const options = readOptions(
    args,
    { from: text, database: text, thread: text, agent: text, schema: text },
    usage,
  );
  const { from, database, thread, agent, schema } = options;
  if (from === undefined || database === undefined)
    throw new HoldpointError("config_invalid", usage);
  const engine = await openEngine({ database });
  try {
    const report = await importThreads({
      from,
      engine,
      ...(thread === undefined ? {} : { threadId: thread }),
      ...(agent === undefined ? {} : { agent }),
      ...(schema === undefined ? {} : { schema }),
    });
    console.log(moved[language](report));
    for (const { because } of report.left) console.error(because);
    if (report.left.length > 0) process.exitCode = 1;
  } finally {
    await engine.close();
  }
}

type Report = Awaited<ReturnType<typeof importThreads>>;

const moved: Readonly<Record<Language, (report: Report) => string>> = {
  en: ({ threads, checkpoints, writes, reviews, known, left }) =>
    `Moved ${checkpoints} checkpoints and ${writes} pending writes of ${threads} threads; ${known} checkpoints were here before. ` +
    `${reviews} reviews wait now. ${left.length} threads stay where they are.`,
  "zh-CN": ({ threads, checkpoints, writes, reviews, known, left }) =>
    `已导入 ${threads} 个对话的 ${checkpoints} 个检查点和 ${writes} 条待处理写入，另有 ${known} 个检查点此前已在这里。` +
    `现有 ${reviews} 个审批等待决定。${left.length} 个对话留在原处。`,
};
