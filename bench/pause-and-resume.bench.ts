import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { openEngine } from "@holdpoint/engine";
import { checkpointer, holdAgent } from "@holdpoint/langchain";
import type { AgentMiddleware } from "langchain";
import {
  agentWith,
  approve,
  ask,
  bareInterrupt,
  modelThatCalls,
  ours,
  stock,
  tools,
} from "./agents.ts";
import { interleave, type Variant } from "./interleave.ts";
import { ratioOf, spreadOf, textOf } from "./spread.ts";

/**
 * One pause and its resume on a fresh thread, one held call. In brackets the quartiles. "As fast" is
 * LangChain's CPU time over ours.
 */
const extent = { rounds: Number(process.argv[2] ?? 200), runs: 2, warmUp: 10 };

const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
const disk = await openEngine({ database: `file:${join(folder, "bench.db")}` });

type Agent = Parameters<typeof ask>[0];

function cycleOf(
  name: string,
  agent: Agent,
  saver: MemorySaver | ReturnType<typeof checkpointer>,
): Variant {
  return {
    name,
    run: async (threadId) => {
      await ask(agent, threadId);
      await approve(agent, threadId);
    },
    forget: (threadId) => saver.deleteThread(threadId),
  };
}

function cycleInMemory(name: string, middleware: AgentMiddleware): Variant {
  const saver = new MemorySaver();
  return cycleOf(name, agentWith([middleware], modelThatCalls("write"), saver), saver);
}

const held = { tools, interruptOn: { write: true }, holdpoint: disk } as const;
const variants = [
  cycleInMemory("LangChain's middleware, MemorySaver", stock()),
  cycleInMemory("a bare interrupt(), MemorySaver", bareInterrupt()),
  cycleInMemory("ours, batched, MemorySaver", ours({})),
  cycleInMemory("ours, per_call, MemorySaver", ours({ interruptMode: "per_call" })),
  cycleOf(
    "holdAgent, on disk with synchronous=FULL",
    holdAgent({ model: modelThatCalls("write"), ...held }),
    checkpointer(disk),
  ),
];

const samples = await interleave(variants, extent);
const [base = []] = samples.values();
for (const [name, values] of samples) {
  const speed = ratioOf(base, values);
  console.log(
    `  ${name.padEnd(42)} ${textOf(spreadOf(values), 2)} ms CPU  ${textOf(speed, 2)}x as fast`,
  );
}
await disk.close();
rmSync(folder, { recursive: true, force: true });
