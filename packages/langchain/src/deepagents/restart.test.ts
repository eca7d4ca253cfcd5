import { MemorySaver } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { openEngine } from "@holdpoint/engine";
import { type AgentRunEnd, runAgent } from "../run/run-agent.ts";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor, delegate } from "../testing/scripted-tasks.ts";
import { type HeldDeepAgent, holdDeepAgent, type HoldDeepAgentParams } from "./hold-deep-agent.ts";
import { databaseOnDisk, only, payTool, type Place, talkTo } from "./set-up.ts";

const script = callsFor({
  "Let the clerk pay.": [delegate("clerk", "pay")],
  pay: [{ name: "pay", args: { amount: 1 } }],
  write: [{ name: "write_file", args: { file_path: "/a", content: "" } }],
  "have it written": [delegate("clerk", "write")],
});

/** The agent as a new process builds it. */
function build(
  place: Place,
  ran: number[],
  rules: Pick<HoldDeepAgentParams, "interruptOn"> = { interruptOn: { pay: true } },
): HeldDeepAgent {
  return holdDeepAgent({
    ...place,
    name: "lead",
    model: new ScriptedModel(script),
    tools: [payTool(ran)],
    subagents: [{ name: "clerk", description: "pays", systemPrompt: "You pay." }],
    ...rules,
  });
}

function start(place: Place, ran: number[]) {
  return talkTo(build(place, ran));
}

const decisions = {
  approve: { decisions: [{ type: "approve" }] },
  edit: { decisions: [{ type: "edit", editedAction: { name: "pay", args: { amount: 7 } } }] },
  reject: { decisions: [{ type: "reject" }] },
};
const outcomes = { approve: [1], edit: [7], reject: [] };

test.each(["approve", "edit", "reject"] as const)(
  "a pause inside a subagent survives a restart without an engine: %s",
  async (decision) => {
    const ran: number[] = [];
    const saver = new MemorySaver();
    const asked = only(await start({ checkpointer: saver }, ran).ask("Let the clerk pay."));
    const { storage, writes } = saver;
    const again = Object.assign(new MemorySaver(), { storage, writes });
    const agent = start({ checkpointer: again }, ran);
    const { waiting } = await agent.resume({ [asked.id]: decisions[decision] });
    expect(waiting).toEqual([]);
    expect(ran).toEqual(outcomes[decision]);
  },
);

test.each(["approve", "edit", "reject"] as const)(
  "a pause inside a subagent survives a restart with an engine: %s",
  async (decision) => {
    const ran: number[] = [];
    const database = databaseOnDisk();
    const first = await openEngine({ database });
    const asked = only(await start({ holdpoint: first }, ran).ask("Let the clerk pay."));
    await first.close();
    const second = await openEngine({ database });
    const agent = start({ holdpoint: second }, ran);
    const { waiting } = await agent.resume({ [asked.id]: decisions[decision] });
    await second.close();
    expect(waiting).toEqual([]);
    expect(ran).toEqual(outcomes[decision]);
  },
);

test("a person decides a subagent's review in the inbox, and the run goes on from the record", async () => {
  const ran: number[] = [];
  const engine = await openEngine({ database: databaseOnDisk() });
  const agent = start({ holdpoint: engine }, ran);
  const asked = only(await agent.ask("Let the clerk pay."));
  const { reviews } = await engine.reviews.list({ status: "open", order: "oldest", limit: 9 });
  expect(reviews).toMatchObject([
    {
      interruptId: asked.id,
      agent: "lead/clerk",
      agentPath: ["lead", "clerk"],
      parentCall: { name: "task" },
      actions: [{ name: "pay" }],
    },
  ]);
  const [review] = reviews;
  const actionId = review?.actions[0]?.id ?? "act_none";
  const edited = { name: "pay", args: { amount: 7 } };
  const decide = (editedAction: typeof edited) =>
    engine.decide({
      reviewId: review?.id ?? "rev_none",
      decisions: [{ actionId, decision: { type: "edit", editedAction } }],
      reviewer: { id: "anna", name: "Anna" },
    });
  // The subagent's own policy judges the edit, not the agent's.
  expect((await decide({ ...edited, args: { amount: "many" } as never })).type).toBe("refused");
  expect((await decide(edited)).type).toBe("recorded");
  const { waiting } = await agent.resume({ [asked.id]: { holdpoint: "recorded" } });
  await engine.close();
  expect(waiting).toEqual([]);
  expect(ran).toEqual([7]);
});

test.each([
  ["a file tool of the agent", "write", "write_file", { file_path: "/b", content: "" }],
  ["a file tool of a subagent", "have it written", "write_file", { file_path: "/b", content: "" }],
  ["the delegation", "Let the clerk pay.", "task", { description: "x", subagent_type: "clerk" }],
])(
  "a new process accepts an edit of deepagents' own tools: %s",
  async (_what, request, name, args) => {
    const database = databaseOnDisk();
    const rules = { interruptOn: { write_file: true, task: request === "Let the clerk pay." } };
    const first = await openEngine({ database });
    await talkTo(build({ holdpoint: first }, [], rules)).ask(request);
    await first.close();
    const second = await openEngine({ database });
    build({ holdpoint: second }, [], rules); // its model has not been called, so the gate has seen no tool there
    const { reviews } = await second.reviews.list({ status: "open", order: "oldest", limit: 9 });
    const [review] = reviews;
    const actionId = review?.actions[0]?.id ?? "act_none";
    const decision = { type: "edit", editedAction: { name, args } } as const;
    const reviewer = { id: "anna", name: "Anna" };
    const decisions = [{ actionId, decision }];
    const result = await second.decide({ reviewId: review?.id ?? "rev_none", decisions, reviewer });
    await second.close();
    expect(result).toMatchObject({ type: "recorded" });
  },
);

test("the server's way of running an agent goes on after a subagent's review was decided", async () => {
  const ran: number[] = [];
  const engine = await openEngine({ database: databaseOnDisk() });
  const hosted = { agent: build({ holdpoint: engine }, ran), engine, threadId: "t1" };
  const input = { messages: [{ type: "human", content: "Let the clerk pay.", id: "m1" }] };
  const paused = await endOf(runAgent({ ...hosted, input }));
  if (paused.status !== "interrupted") throw new Error(`the run has ${paused.status}`);
  expect(paused.open.map(({ review }) => review.agentPath)).toEqual([["lead", "clerk"]]);
  const [review] = paused.open.map((one) => one.review);
  await engine.decide({
    reviewId: review?.id ?? "rev_none",
    decisions: [{ actionId: review?.actions[0]?.id ?? "act_none", decision: { type: "approve" } }],
    reviewer: { id: "anna", name: "Anna" },
  });
  expect(await endOf(runAgent({ ...hosted, input: undefined }))).toEqual({ status: "completed" });
  await engine.close();
  expect(ran).toEqual([1]);
});

async function endOf(run: AsyncGenerator<unknown, AgentRunEnd>): Promise<AgentRunEnd> {
  for (;;) {
    const { done, value } = await run.next();
    if (done === true) return value as AgentRunEnd; // what the generator returns
  }
}
