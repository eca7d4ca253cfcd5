import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { type Engine, openEngine } from "@holdpoint/engine";
import { checkpointer } from "@holdpoint/langchain";
import type { AgentMiddleware } from "langchain";
import { CountingSaver } from "../packages/langchain/src/testing/counting-saver.ts";
import { agentWith, ask, empty, modelThatCalls, ours, stock } from "./agents.ts";
import { interleave, type Samples, type Variant } from "./interleave.ts";
import { addedText, ratioOf, spreadOf, textOf } from "./spread.ts";

/**
 * What the gate costs a turn in which nothing is held: one call that the rules let run. In brackets the
 * quartiles. The last column says how much of what LangChain's middleware adds each adds.
 */
const extent = { rounds: Number(process.argv[2] ?? 300), runs: 3, warmUp: 10 };

type Gates = readonly (readonly [name: string, middleware: readonly AgentMiddleware[]])[];

const without = "no middleware";
const withStock = "LangChain's middleware";

/** Without an engine the record is this process's. */
function gatesOver(holdpoint: Engine | undefined): Gates {
  return [
    [without, []],
    ["an empty middleware", [empty()]],
    [withStock, [stock()]],
    ["ours, batched", [ours({ holdpoint })]],
    ["ours, per_call", [ours({ holdpoint, interruptMode: "per_call" })]],
  ];
}

function variantIn(
  saver: MemorySaver | ReturnType<typeof checkpointer>,
  [name, middleware]: Gates[number],
): Variant {
  const model = modelThatCalls("read");
  const agent = agentWith(middleware, model, saver);
  const forget = async (threadId: string) => {
    model.asked.length = 0;
    await saver.deleteThread(threadId);
  };
  return { name, run: (threadId) => ask(agent, threadId), forget };
}

function print(title: string, samples: Samples): void {
  console.log(`\n${title}`);
  const base = samples.get(without) ?? [];
  const stockAdds = ratioOf(samples.get(withStock) ?? [], base).median - 1;
  for (const [name, values] of samples) {
    const ratio = ratioOf(values, base);
    const share = `${((ratio.median - 1) / stockAdds).toFixed(2)}x what LangChain's adds`;
    const added = name === without ? "" : `${addedText(ratio).padEnd(27)} ${share}`;
    console.log(`  ${name.padEnd(24)} ${textOf(spreadOf(values), 2)} ms CPU  ${added}`.trimEnd());
  }
}

async function printCounts(gates: Gates): Promise<void> {
  console.log("\nLangGraph's MemorySaver, calls for one turn in which nothing is held");
  for (const [name, middleware] of gates) {
    const saver = new CountingSaver();
    await ask(agentWith(middleware, modelThatCalls("read"), saver), "counted");
    const { put, putWrites, rows } = saver.counts;
    console.log(
      `  ${name.padEnd(24)} ${put} checkpoints, ${rows} pending writes in ${putWrites} batches`,
    );
  }
}

const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
const disk = await openEngine({ database: `file:${join(folder, "bench.db")}` });

const inMemory = gatesOver(undefined).map((gate) => variantIn(new MemorySaver(), gate));
const onDisk = gatesOver(disk).map((gate) => variantIn(checkpointer(disk), gate));
print("MemorySaver, one allowed call", await interleave(inMemory, extent));
print("Holdpoint's checkpointer on disk, one allowed call", await interleave(onDisk, extent));
await printCounts(gatesOver(undefined));

await disk.close();
rmSync(folder, { recursive: true, force: true });
