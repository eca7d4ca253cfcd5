// #region one-line
import { openEngine } from "@holdpoint/engine";
import { holdDeepAgent } from "@holdpoint/langchain/deepagents";
// #endregion
// #region without-engine
import { MemorySaver } from "@langchain/langgraph";
// #endregion
// #region answer
import { isToolApprovalInterrupt, resumeThread } from "@holdpoint/langchain";
// #endregion
// #region built
import { holdAgent } from "@holdpoint/langchain";
// #endregion
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HeldDeepAgent } from "@holdpoint/langchain/deepagents";
import { ScriptedModel } from "@holdpoint/langchain/testing";
import { createAgent, tool } from "langchain";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openOnDisk, talkTo } from "../../../packages/langchain/src/deepagents/set-up.ts";
import {
  callsFor,
  delegate,
  type PlannedCall,
} from "../../../packages/langchain/src/testing/scripted-tasks.ts";

process.chdir(mkdtempSync(join(tmpdir(), "holdpoint-guide-")));

const mail = (to: string): PlannedCall => ({ name: "send_email", args: { to } });
const write = (path: string): PlannedCall => ({
  name: "write_file",
  args: { file_path: path, content: "" },
});
const model = new ScriptedModel(
  callsFor({
    "Thank Ann and Ben.": [mail("ann@example.com"), mail("ben@example.org")],
    "Have Ann thanked.": [
      delegate("general-purpose", "Thank Ann."),
      { name: "search", args: { for: "x" } },
    ],
    "Let the mailer thank Ann.": [delegate("mailer", "Thank Ann.")],
    "Thank Ann.": [mail("ann@example.com")],
    "Write.": [write("/drafts/a"), write("/a"), write("/reports/a")],
    "Book it.": [delegate("accounts", "Book.")],
    "Book.": [{ name: "book_payment", args: { amount: 1 } }],
    "Ask the ledger.": [delegate("ledger", "Book.")],
  }),
);

function tools() {
  const ran: string[] = [];
  const sendEmail = tool(async ({ to }) => void ran.push(`mail ${to}`), {
    name: "send_email",
    description: "sends mail",
    schema: z.object({ to: z.string() }),
  });
  const search = tool(async () => void ran.push("search"), {
    name: "search",
    description: "searches",
    schema: z.object({ for: z.string() }),
  });
  const bookPayment = tool(async ({ amount }) => void ran.push(`booked ${amount}`), {
    name: "book_payment",
    description: "books",
    schema: z.object({ amount: z.number() }),
  });
  return { ran, sendEmail, search, bookPayment };
}

/** What asks when the agent is told this. */
async function asksOn(agent: HeldDeepAgent, request: string): Promise<unknown[]> {
  const { waiting } = await talkTo(agent, request).ask(request);
  return waiting.map(({ value }) => [value["name"], value["agent"]]);
}

describe("the guide", () => {
  test("one line: every tool of the developer's asks", async () => {
    const { sendEmail, search } = tools();
    // #region one-line
    const holdpoint = await openEngine({ database: "file:./holdpoint.db" });
    const agent = holdDeepAgent({ model, tools: [sendEmail, search], holdpoint });
    // #endregion
    onTestFinished(() => holdpoint.close());
    expect(await asksOn(agent, "Have Ann thanked.")).toEqual([
      ["search", "agent"],
      ["send_email", "agent/general-purpose"],
    ]);
  });

  test("what need not ask", async () => {
    const { sendEmail, search, ran } = tools();
    const holdpoint = await openOnDisk();
    // #region rules
    const agent = holdDeepAgent({
      model,
      tools: [sendEmail, search],
      holdpoint,
      interruptOn: { send_email: true, search: false },
    });
    // #endregion
    expect(await asksOn(agent, "Have Ann thanked.")).toHaveLength(1);
    expect(ran).toEqual(["search"]);
  });

  test("without an engine, and the answers", async () => {
    const { sendEmail, search, ran } = tools();
    const shown: unknown[] = [];
    const console = { log: (...values: unknown[]) => shown.push(values) };
    const agent = withoutEngine();
    function withoutEngine(): HeldDeepAgent {
      // #region without-engine
      const agent = holdDeepAgent({
        model,
        tools: [sendEmail, search],
        checkpointer: new MemorySaver(),
        interruptOn: { send_email: true, search: false },
      });
      // #endregion
      return agent;
    }
    // #region answer
    const config = { configurable: { thread_id: "thread-1" } };
    const paused = await agent.invoke({ messages: [["human", "Thank Ann and Ben."]] }, config);

    const answers: Record<string, unknown> = {};
    for (const { id, value } of paused.__interrupt__ ?? []) {
      if (id === undefined || !isToolApprovalInterrupt(value)) continue;
      console.log(value.agentPath, "wants to run", value.name, value.args);
      answers[id] = { type: "approve" };
    }
    const done = await resumeThread(agent, config, answers);
    // #endregion
    expect(shown).toHaveLength(2);
    expect(ran).toEqual(["mail ann@example.com", "mail ben@example.org"]);
    expect(done.messages.at(-1)?.text).toBe("done");
  });

  test("permissions that ask", async () => {
    const holdpoint = await openOnDisk();
    // #region permissions
    const agent = holdDeepAgent({
      model,
      holdpoint,
      permissions: [
        { operations: ["write"], paths: ["/drafts/**"] },
        { operations: ["write"], paths: ["/**"], mode: "interrupt" },
        { operations: ["read"], paths: ["/contracts/**"], mode: "interrupt" },
        { operations: ["read"], paths: ["/keys/**"], mode: "deny" },
      ],
    });
    // #endregion
    const { waiting } = await talkTo(agent).ask("Write.");
    expect(waiting.map(({ value }) => value["args"])).toEqual([
      write("/a").args,
      write("/reports/a").args,
    ]);
  });

  test("subagents", async () => {
    const { sendEmail, search } = tools();
    const holdpoint = await openOnDisk();
    // #region subagents
    const agent = holdDeepAgent({
      name: "lead",
      model,
      tools: [sendEmail, search],
      holdpoint,
      interruptOn: { send_email: true, search: false },
      subagents: [
        { name: "researcher", description: "looks things up", systemPrompt: "You search." },
        {
          name: "mailer",
          description: "writes to customers",
          systemPrompt: "You write mail.",
          interruptOn: { send_email: { allowedDecisions: ["approve", "edit", "reject"] } },
        },
      ],
    });
    // #endregion
    const { waiting } = await talkTo(agent).ask("Let the mailer thank Ann.");
    expect(waiting.map(({ value }) => value)).toMatchObject([
      {
        agentPath: ["lead", "mailer"],
        parentCall: { name: "task" },
        askedFor: "Let the mailer thank Ann.",
        allowedDecisions: ["approve", "edit", "reject"],
      },
    ]);
  });

  test("subagents that are built already", async () => {
    const { bookPayment, ran } = tools();
    const holdpoint = await openOnDisk();
    const ledger = createAgent({ model, tools: [bookPayment] });
    // #region built
    const accounts = holdAgent({ model, tools: [bookPayment], holdpoint, interruptOn: {} });
    const agent = holdDeepAgent({
      model,
      holdpoint,
      subagents: [{ name: "accounts", description: "books payments", runnable: accounts }],
    });
    // #endregion
    expect(await asksOn(agent, "Book it.")).toEqual([["book_payment", "agent"]]);
    expect(ran).toEqual([]);
    expect(await asksOn(ownGate(), "Ask the ledger.")).toEqual([]);
    expect(ran).toEqual(["booked 1"]);
    function ownGate(): HeldDeepAgent {
      // #region own-gate
      const agent = holdDeepAgent({
        model,
        holdpoint,
        subagents: [
          {
            name: "ledger",
            description: "the assistant of the ledger",
            runnable: ledger,
            ownGate: "asks in the ledger's own app before it books anything",
          },
        ],
      });
      // #endregion
      return agent;
    }
  });

  test("all of it", async () => {
    const { sendEmail, search } = tools();
    const holdpoint = await openOnDisk();
    // #region all
    const agent = holdDeepAgent({
      name: "lead",
      model,
      tools: [sendEmail, search],
      holdpoint,
      interruptOn: {
        search: false,
        send_email: {
          allowedDecisions: ["approve", "edit", "reject"],
          description: "Mail leaves the house.",
          when: ({ toolCall, agent }) =>
            agent.path.length > 1 || !String(toolCall.args["to"]).endsWith("@example.com"),
        },
        "mcp_*": true,
      },
      unlisted: "deny",
      interruptMode: "per_call",
      descriptionPrefix: "Please look at this call",
      editNotice: true,
      maxRejections: 2,
      answers: "named",
      permissions: [{ operations: ["write"], paths: ["/reports/**"], mode: "interrupt" }],
    });
    // #endregion
    const { waiting } = await talkTo(agent).ask("Thank Ann and Ben.");
    expect(waiting.map(({ value }) => value["args"])).toEqual([{ to: "ben@example.org" }]);
    expect(await asksOn(agent, "Write.")).toEqual([["write_file", "lead"]]);
  });
});
