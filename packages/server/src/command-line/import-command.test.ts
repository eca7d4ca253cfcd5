import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StringPromptValue } from "@langchain/core/prompt_values";
import { Annotation, interrupt, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { openEngine } from "@holdpoint/engine";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { main } from "../command-line.ts";

const said: unknown[] = [];

beforeEach(() => {
  said.length = 0;
  for (const stream of ["log", "error"] as const)
    vi.spyOn(console, stream).mockImplementation((line: unknown) => void said.push(line));
});

afterEach(() => {
  vi.unstubAllEnvs();
  process.exitCode = 0;
});

/** A stock database with a thread that waits for an answer, and one that cannot be moved. */
async function stockDatabase(folder: string): Promise<string> {
  const path = join(folder, "langgraph.db");
  const saver = SqliteSaver.fromConnString(path);
  const State = Annotation.Root({ value: Annotation<unknown>() });
  const graph = (node: () => { value: unknown }) =>
    new StateGraph(State)
      .addNode("node", node)
      .addEdge(START, "node")
      .compile({ checkpointer: saver });
  const asking = graph(() => ({ value: interrupt("which one?") }));
  await asking.invoke({ value: 1 }, { configurable: { thread_id: "asks" } });
  const odd = graph(() => ({ value: new StringPromptValue("text") }));
  await odd.invoke({ value: 1 }, { configurable: { thread_id: "odd" } });
  saver.db.close();
  return path;
}

test("a stock database is moved by one command, which says what it did and what stays, in both languages", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-import-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const from = await stockDatabase(folder);
  const database = `file:${join(folder, "holdpoint.db")}`;
  const stays = expect.stringMatching(/^Thread odd stays where it is: its checkpoint \S+ cannot/);
  vi.stubEnv("LC_ALL", "C");
  await main(["import", "--from", from, "--database", database]);
  expect(said.splice(0)).toEqual([
    "Moved 2 checkpoints and 3 pending writes of 1 threads; 0 checkpoints were here before. 1 reviews wait now. 1 threads stay where they are.",
    stays,
  ]);
  expect(process.exitCode).toBe(1);
  process.exitCode = 0;
  vi.stubEnv("LC_ALL", "zh_CN.UTF-8");
  await main(["import", "--from", from, "--database", database, "--thread", "asks"]);
  expect(said.splice(0)).toEqual([
    "已导入 1 个对话的 0 个检查点和 0 条待处理写入，另有 2 个检查点此前已在这里。现有 0 个审批等待决定。0 个对话留在原处。",
  ]);
  expect(process.exitCode).toBe(0);
  const engine = await openEngine({ database });
  onTestFinished(engine.close);
  expect(await engine.openReviewsOf("asks")).toHaveLength(1);
});

test("a command that leaves out from where or where to is answered with its usage", async () => {
  vi.stubEnv("LC_ALL", "C");
  for (const args of [["--from", "a.db"], ["--database", "file:b.db"], ["--what"]]) {
    await main(["import", ...args]);
    expect(said.splice(0)).toEqual([expect.stringContaining("Usage: holdpoint import --from")]);
  }
});
