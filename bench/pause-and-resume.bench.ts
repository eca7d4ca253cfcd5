import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { openEngine } from "@holdpoint/engine";
import { holdAgent, humanInTheLoopMiddleware } from "@holdpoint/langchain";
import { callsOnce, ScriptedModel } from "@holdpoint/langchain/testing";
import {
  type AgentMiddleware,
  createAgent,
  humanInTheLoopMiddleware as stockMiddleware,
  tool,
} from "langchain";
import { z } from "zod";

/**
 * One pause and its resume on a fresh thread, one held call: CPU time of the whole process in one run,
 * variants interleaved, median of the rounds. Ours keeps a record on disk for each; stock does not.
 */
const rounds = 60;
const warmUp = 10;

type Cycle = (threadId: string) => Promise<void>;

const model = (): ScriptedModel =>
  new ScriptedModel(callsOnce({ name: "write", args: { path: "a", text: "x" } }));
const write = tool(async () => "ok", {
  name: "write",
  description: "writes",
  schema: z.object({ path: z.string(), text: z.string() }),
});

const approval = { decisions: [{ type: "approve" }] };

/** An agent of any of the variants; the bench only invokes it. */
type Invokable = {
  invoke: (input: never, config: { configurable: { thread_id: string } }) => Promise<unknown>;
};

function cycleOf(agent: Invokable): Cycle {
  return async (threadId) => {
    const config = { configurable: { thread_id: threadId } };
    await agent.invoke({ messages: [new HumanMessage("go")] } as never, config); // every variant takes messages
    await agent.invoke(new Command({ resume: approval }) as never, config);
  };
}

const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
const memory = await openEngine({ database: ":memory:" });
const disk = await openEngine({ database: `file:${join(folder, "bench.db")}` });

const variants: readonly (readonly [string, Cycle])[] = [
  [
    "stock middleware, MemorySaver",
    cycleOf(
      createAgent({
        model: model(),
        tools: [write],
        checkpointer: new MemorySaver(),
        // LangChain's own types do not agree with exactOptionalPropertyTypes.
        middleware: [
          stockMiddleware({ interruptOn: { write: true } } as never) as unknown as AgentMiddleware,
        ],
      }),
    ),
  ],
  [
    "ours as drop-in (batched), MemorySaver, record in memory",
    cycleOf(
      createAgent({
        model: model(),
        tools: [write],
        checkpointer: new MemorySaver(),
        middleware: [humanInTheLoopMiddleware({ interruptOn: { write: true }, holdpoint: memory })],
      }),
    ),
  ],
  [
    "holdAgent (per call), SQLite with synchronous=FULL",
    cycleOf(
      holdAgent({ model: model(), tools: [write], interruptOn: { write: true }, holdpoint: disk }),
    ),
  ],
];

const cpu = new Map<string, number[]>(variants.map(([name]) => [name, []]));
for (let round = 0; round < rounds + warmUp; round += 1) {
  for (const [name, cycle] of variants) {
    const before = process.cpuUsage();
    await cycle(`${name} ${round}`);
    const { user, system } = process.cpuUsage(before);
    if (round >= warmUp) cpu.get(name)?.push((user + system) / 1000);
  }
}

const medians = variants.map(([name]) => [name, median(cpu.get(name) ?? [])] as const);
const stock = medians[0]?.[1] ?? Number.NaN;
for (const [name, value] of medians) {
  console.log(
    `${value.toFixed(1).padStart(7)} ms CPU  ${(value / stock).toFixed(2)}x stock  ${name}`,
  );
}
await memory.close();
await disk.close();
rmSync(folder, { recursive: true, force: true });

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
