// Run by tests in a process of its own: resumes a paused thread directly, as a server would that knows
// nothing of Holdpoint. Told what to do one line at a time; says when it is ready, and how it went.
import { appendFileSync, readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { Command } from "@langchain/langgraph";
import { openEngine } from "@holdpoint/engine";
import { checkpointer, humanInTheLoopMiddleware } from "@holdpoint/langchain";
import { callsOnce, ScriptedModel } from "@holdpoint/langchain/testing";
import { createAgent, createMiddleware, tool } from "langchain";
import { z } from "zod";

/** Where the record, the checkpoints and the tool's own log are. */
export type Places = {
  readonly record: string;
  readonly checkpoints: string;
  readonly log: string;
  readonly interruptMode: "batched" | "per_call";
};

/**
 * An agent over these places, whose one tool writes a line into the log when it runs. `arrive` is awaited with the
 * call in hand, before the gate sees it.
 */
export async function openAgent(
  { record, checkpoints, log, interruptMode }: Places,
  arrive: () => Promise<void> = async () => undefined,
) {
  const engine = await openEngine({ database: record });
  const saver = checkpoints === record ? engine : await openEngine({ database: checkpoints });
  const pay = tool(
    async ({ amount }) => {
      appendFileSync(log, `paid ${amount}\n`);
      await setTimeout(20); // long enough for the other process to come in between
      return `paid ${amount}`;
    },
    { name: "pay", description: "pays", schema: z.object({ amount: z.number() }) },
  );
  const agent = createAgent({
    model: new ScriptedModel(callsOnce({ name: "pay", args: { amount: 7 } })),
    tools: [pay],
    checkpointer: checkpointer(saver),
    middleware: [
      createMiddleware({
        name: "Arrival",
        wrapToolCall: async (request, handler) => {
          await arrive();
          return handler(request);
        },
      }),
      humanInTheLoopMiddleware({ interruptOn: { pay: true }, holdpoint: engine, interruptMode }),
    ],
  });
  const close = async (): Promise<void> => {
    await engine.close();
    if (saver !== engine) await saver.close();
  };
  return { agent, engine, close };
}

type Told = { readonly open: Places } | { readonly threadId: string; readonly resume: unknown };

async function serve(): Promise<void> {
  let opened: Awaited<ReturnType<typeof openAgent>> | undefined;
  let thread = "";
  process.stdout.write("ready\n");
  for await (const line of createInterface({ input: process.stdin })) {
    const told = JSON.parse(line) as Told; // written by our own test
    if ("open" in told) {
      const { log } = told.open;
      opened = await openAgent(told.open, () => bothAreThere(`${log}.${thread}`));
      process.stdout.write("open\n");
      continue;
    }
    thread = told.threadId;
    const config = { configurable: { thread_id: thread } };
    const command = new Command({ resume: told.resume });
    const result = await opened?.agent.invoke(command, config).catch((error: unknown) => error);
    process.stdout.write(`${JSON.stringify(outcomeOf(result))}\n`);
  }
  await opened?.close();
}

/** Resolves when the other process has the same call in hand: a slow machine must not make one the later. */
async function bothAreThere(meeting: string): Promise<void> {
  appendFileSync(meeting, `${process.pid}\n`);
  const here = (): number => new Set(readFileSync(meeting, "utf8").split("\n")).size - 1;
  while (here() < 2) await setTimeout(1);
}

/** What a caller sees: the interrupts that are raised again, the texts of the messages, or the error. */
function outcomeOf(result: unknown): unknown {
  if (result instanceof Error) return { error: result.message };
  const { __interrupt__: waiting = [], messages = [] } = result as {
    __interrupt__?: { value: { conflict?: unknown } }[];
    messages?: { text: string }[];
  }; // the agent's own state
  return {
    conflicts: waiting.map(({ value }) => value.conflict ?? null),
    texts: messages.map(({ text }) => text),
  };
}

if (process.argv[2] === "serve") await serve();
