import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HumanMessage } from "@langchain/core/messages";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware as stockMiddleware,
  tool,
} from "langchain";
import { openEngine } from "@holdpoint/engine";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { checkpointer } from "../checkpoints/checkpointer.ts";
import { CountingSaver, type SaverCounts } from "../testing/counting-saver.ts";
import { callsOnce, ScriptedModel } from "../testing/scripted-model.ts";
import { humanInTheLoopMiddleware } from "./human-in-the-loop.ts";

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const stock = stockMiddleware({
  interruptOn: { write: true },
} as never) as unknown as AgentMiddleware; // LangChain's own types do not agree with exactOptionalPropertyTypes
const read = tool(async ({ path }) => `what ${path} says`, {
  name: "read",
  description: "reads",
  schema: z.object({ path: z.string() }),
});

type Saver = Parameters<typeof createAgent>[0]["checkpointer"];

/** One turn with one call that the rules let run. */
async function runTurn(saver: Saver, middleware: readonly AgentMiddleware[]): Promise<void> {
  const agent = createAgent({
    model: new ScriptedModel(callsOnce({ name: "read", args: { path: "a" } })),
    tools: [read],
    middleware,
    ...(saver === undefined ? {} : { checkpointer: saver }),
  });
  const input = { messages: [new HumanMessage("go")] };
  const { messages } = await agent.invoke(input, { configurable: { thread_id: "t1" } });
  expect(messages.map((message) => message.text)).toEqual(["go", "", "what a says", "done"]);
}

async function countsInMemory(middleware: readonly AgentMiddleware[]): Promise<SaverCounts> {
  const saver = new CountingSaver();
  await runTurn(saver, middleware);
  return saver.counts;
}

/** Rows by table and commits, on our own storage. */
async function countsOnDisk(
  middlewareOver: (holdpoint: Awaited<ReturnType<typeof openEngine>>) => readonly AgentMiddleware[],
): Promise<Readonly<Record<string, number>>> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-nothing-held-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "db.sqlite");
  const engine = await openEngine({ database: `file:${path}` });
  const middleware = middlewareOver(engine);
  const executed = vi.spyOn(DatabaseSync.prototype, "exec"); // watched, not replaced
  cleanUps.push(() => executed.mockRestore());
  await runTurn(checkpointer(engine), middleware);
  const commits = executed.mock.calls.filter(([sql]) => sql === "COMMIT").length;
  executed.mockRestore();
  await engine.close();
  return { commits, ...rowsOf(path) };
}

function rowsOf(path: string): Readonly<Record<string, number>> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all()
      .map((row) => String(row["name"]));
    return Object.fromEntries(
      names.map((name) => {
        const row = database.prepare(`SELECT count(*) AS rows FROM "${name}"`).get();
        return [name, Number(row?.["rows"])];
      }),
    );
  } finally {
    database.close();
  }
}

const modes = ["batched", "per_call"] as const;

test.each(modes)(
  "%s: a turn in which nothing is held saves nothing more with LangGraph's checkpointer",
  async (interruptMode) => {
    const ours = await countsInMemory([
      humanInTheLoopMiddleware({ interruptOn: { write: true }, interruptMode }),
    ]);
    const { put, putWrites, rows } = await countsInMemory([]);
    expect(ours).toMatchObject({ put, putWrites, rows });
    // LangChain reads the thread once more for an agent that has any middleware.
    expect(ours).toEqual(await countsInMemory([createMiddleware({ name: "Nothing" })]));
    expect((await countsInMemory([stock])).put).toBeGreaterThan(put);
  },
);

test.each(modes)(
  "%s: a turn in which nothing is held adds no row and no commit to our storage",
  async (interruptMode) => {
    const without = await countsOnDisk(() => []);
    const ours = await countsOnDisk((holdpoint) => [
      humanInTheLoopMiddleware({ interruptOn: { write: true }, interruptMode, holdpoint }),
    ]);
    for (const [what, count] of Object.entries(ours))
      expect(count, what).toBeLessThanOrEqual(without[what] ?? Number.NaN);
    const withStock = await countsOnDisk(() => [stock]);
    expect(withStock["commits"]).toBeGreaterThan(without["commits"] ?? Number.NaN);
    expect(withStock["checkpoints"]).toBeGreaterThan(without["checkpoints"] ?? Number.NaN);
  },
);
