import { createDeepAgent } from "deepagents";
import { expect, test } from "vitest";
import { explainGate } from "../explain/explain-gate.ts";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor } from "../testing/scripted-tasks.ts";
import { holdDeepAgent } from "./hold-deep-agent.ts";
import { memory, payTool } from "./set-up.ts";

const model = new ScriptedModel(callsFor({}));
const agent = holdDeepAgent({
  ...memory(),
  model,
  tools: [payTool([])],
  permissions: [
    { operations: ["write"], paths: ["/drafts/**"] },
    { operations: ["write"], paths: ["/**"], mode: "interrupt" },
  ],
});

const write = (path: string) => ({ name: "write_file", args: { file_path: path, content: "" } });

test.each([
  ["a permission that asks", write("/a"), "held", "permissions[1] (write /**) holds it."],
  [
    "a tool that nothing names",
    { name: "pay", args: { amount: 1 } },
    "held",
    "No key of interruptOn",
  ],
  ["deepagents' own tool", { name: "ls" }, "free", 'interruptOn["ls"] lets it run.'],
  [
    "a permission beside a rule",
    write("/drafts/a"),
    "free",
    'interruptOn["write_file"] lets it run.',
  ],
])(
  "explainGate tells why a deep agent holds a call or not: %s",
  async (_what, call, fate, text) => {
    const explained = await explainGate(agent, call);
    expect(explained.fate).toBe(fate);
    expect(explained.text).toContain(text);
    expect(explained.warnings).toEqual([]);
  },
);

test("a stock deep agent is told to have no gate", async () => {
  const stock = createDeepAgent({ ...memory(), model, interruptOn: { ls: true } });
  expect(await explainGate(stock, { name: "ls" })).toMatchObject({ fate: "ungated" });
});
