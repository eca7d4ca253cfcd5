// #region readme
import { openEngine } from "@holdpoint/engine";
import { holdAgent } from "@holdpoint/langchain";
// #endregion
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explainGate, type InterruptOn } from "@holdpoint/langchain";
import { tool } from "langchain";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import config from "./holdpoint.config.ts";

const toolNamed = (name: string) =>
  tool(async () => "done", { name, description: "does", schema: z.looseObject({}) });
const readFile = toolNamed("read_file");
const sendEmail = toolNamed("send_email");
process.chdir(mkdtempSync(join(tmpdir(), "holdpoint-guide-")));

// #region readme
const holdpoint = await openEngine({ database: "file:holdpoint.db" });
const agent = holdAgent({
  model: "openai:gpt-5",
  tools: [readFile, sendEmail], // your LangChain tools
  interruptOn: { read_file: false, send_email: { allowedDecisions: ["approve", "reject"] } },
  holdpoint,
});
// #endregion
afterAll(() => holdpoint.close());

test("the README's agent holds what it says", async () => {
  expect(await explainGate(agent, { name: "send_email" })).toMatchObject({ fate: "held" });
  expect(await explainGate(agent, { name: "read_file" })).toMatchObject({ fate: "free" });
});

test("the quickstart's agent can be hosted, and holds refunds", async () => {
  const support = await config.agents["support"]?.create({ holdpoint, dataFolder: "." });
  const refund = { name: "refund", args: { order: "A-1", amount: 5 } };
  expect(await explainGate(support as typeof agent, refund)).toMatchObject({ fate: "held" });
});

test("the quickstart's rule asks above 100", async () => {
  // #region rule
  const interruptOn: InterruptOn = {
    refund: {
      allowedDecisions: ["approve", "edit", "reject"],
      description: "Pays money back.",
      when: ({ toolCall }) => Number(toolCall.args.amount) > 100,
    },
  };
  // #endregion
  const tools = [toolNamed("refund")];
  const refunds = holdAgent({ model: "openai:gpt-5", tools, interruptOn, holdpoint });
  for (const [amount, fate] of [
    [100, "free"],
    [101, "held"],
  ] as const)
    expect(await explainGate(refunds, { name: "refund", args: { amount } })).toMatchObject({
      fate,
    });
});
