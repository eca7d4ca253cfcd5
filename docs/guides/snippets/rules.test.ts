// #region rules
import { humanInTheLoopMiddleware, type InterruptOn } from "@holdpoint/langchain";
// #endregion
import { explainGate } from "@holdpoint/langchain";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { modelThatCalls, readInbox, sendEmail } from "./mail-agent.ts";

// #region rules
const interruptOn: InterruptOn = {
  read_inbox: false, // runs
  send_email: true, // held; approve, edit, reject and respond are allowed
  refund: {
    allowedDecisions: ["approve", "reject"],
    description: ({ args }) => `Pays ${args.amount} EUR back to the customer.`,
    when: ({ toolCall }) => toolCall.args.amount > 100, // up to 100 it runs
  },
  "mcp_*": { allowedDecisions: ["approve", "reject"] }, // every tool of the MCP servers
  "*": true, // everything else
};
// #endregion

const toolNamed = (name: string) =>
  tool(async () => "done", {
    name,
    description: "does",
    schema: z.object({ amount: z.number().optional() }),
    metadata: { risk: name === "mcp_delete" ? "high" : "low" },
  });
const tools = [
  readInbox,
  sendEmail,
  ...["refund", "mcp_delete", "mcp_list", "other"].map(toolNamed),
];

function agentWith(middleware: ReturnType<typeof humanInTheLoopMiddleware>) {
  const checkpointer = new MemorySaver();
  return createAgent({ model: modelThatCalls(), tools, checkpointer, middleware: [middleware] });
}

test.each([
  ["read_inbox", {}, "free", "read_inbox"],
  ["refund", { amount: 101 }, "held", "refund"],
  ["refund", { amount: 100 }, "free", "refund"],
  ["mcp_list", {}, "held", "mcp_*"],
  ["other", {}, "held", "*"],
])("%s with %j is %s by the key %s", async (name, args, fate, key) => {
  const agent = agentWith(humanInTheLoopMiddleware({ interruptOn }));
  expect(await explainGate(agent, { name, args })).toMatchObject({ fate, key });
});

test("a rule says how long a person has", async () => {
  // #region deadline
  const interruptOn: InterruptOn = {
    refund: { allowedDecisions: ["approve", "reject"], deadline: "4h" },
  };
  // #endregion
  const agent = agentWith(humanInTheLoopMiddleware({ interruptOn }));
  const explained = await explainGate(agent, { name: "refund", args: { amount: 1 } });
  expect(explained).toMatchObject({ verdict: { deadlineIn: 14_400_000 } });
});

test("a condition may ask about the tool, the state and the agent's context", async () => {
  const userContext = z.object({ userId: z.string() });
  const isTrusted = async (userId: string) => userId === "root";
  // #region when
  const gate = humanInTheLoopMiddleware({
    interruptOn: {
      "*": {
        allowedDecisions: ["approve", "reject"],
        when: async ({ tool, context, state }) => {
          const { userId } = userContext.parse(context); // of the invocation
          if (await isTrusted(userId)) return false;
          return tool?.metadata?.risk === "high" || state.messages.length > 50;
        },
      },
    },
  });
  // #endregion
  const agent = agentWith(gate);
  const fates = ["anna", "root"].flatMap((userId) =>
    ["mcp_delete", "mcp_list"].map(async (name) => {
      const explanation = await explainGate(agent, { name }, { context: { userId } });
      return [userId, name, explanation.fate];
    }),
  );
  expect(await Promise.all(fates)).toEqual([
    ["anna", "mcp_delete", "held"],
    ["anna", "mcp_list", "free"],
    ["root", "mcp_delete", "free"],
    ["root", "mcp_list", "free"],
  ]);
  // A context that cannot be read is not a reason to run.
  expect(await explainGate(agent, { name: "mcp_list" })).toMatchObject({ fate: "held" });
});

test("tools that no key stands for", async () => {
  // #region unlisted
  const gate = humanInTheLoopMiddleware({ interruptOn: { read_inbox: false }, unlisted: "review" });
  // #endregion
  expect(await explainGate(agentWith(gate), { name: "other" })).toMatchObject({ fate: "held" });
});

test("a mistake fails when the middleware is made", async () => {
  const lines: string[] = [];
  const console = { log: (line: string) => lines.push(line) };
  // #region mistake
  const wrong = { send_email: { allowed_decisions: ["approve"] } };
  try {
    humanInTheLoopMiddleware({ interruptOn: wrong as never });
  } catch (error) {
    console.log(String(error));
  }
  // #endregion
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("rules-mistake.txt");
});
