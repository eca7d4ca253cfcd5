import { ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { type AgentMiddleware, createMiddleware, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { repairThread } from "../index.ts";
import {
  heldAgent,
  refusalOfFailure,
  stockAgent,
  type TestAgent,
  threeTools,
  turns,
  variants,
} from "./set-up.ts";

const script = turns([{ name: "c" }, { name: "a" }, { name: "b" }]);
const options = { interruptOn: { a: true, b: true } };
const approve = { type: "approve" };
const reject = { type: "reject" };
const versions = variants.flatMap((one) =>
  (["v1", "v2"] as const).map((version) => ({ ...one, version })),
);

test.each(versions)(
  "batched: a free call waits with the held ones, and one answer starts all in the model's order ($variant, $version)",
  async ({ open, version }) => {
    const ours = heldAgent(await open(), options, { script, agent: { version } });
    await ours.ask();
    expect(ours.ran).toEqual([]);
    const { value } = await ours.onlyPending();
    expect(value.actionRequests.map(({ name }) => name)).toEqual(["a", "b"]);
    await ours.answer(approve, approve);
    expect(ours.ran).toEqual(["c {}", "a {}", "b {}"]);
    expect(await ours.dangling()).toEqual([]);
  },
);

test.each(variants)(
  "batched: a new process finds the whole turn waiting, and one answer runs it ($variant)",
  async ({ open }) => {
    const place = await open();
    const ran: string[] = [];
    await heldAgent(place, options, { script, ran }).ask();
    const ours = heldAgent(await place.restart(), options, { script, ran });
    expect(ran).toEqual([]);
    await ours.answer(approve, reject);
    expect(ran).toEqual(["c {}", "a {}"]);
    expect((await ours.toolMessages()).map(({ status }) => status)).toEqual([
      "success",
      "success",
      "error",
    ]);
  },
);

test.each(variants)(
  "batched: a wrong answer leaves every call of the turn waiting, and the right one still works ($variant)",
  async ({ open }) => {
    const ours = heldAgent(await open(), options, { script });
    await ours.ask();
    const { id } = await ours.onlyPending();
    expect(await refusalOfFailure(ours.answer(approve))).toMatchObject({ code: "decision_count" });
    expect(ours.ran).toEqual([]);
    expect((await ours.onlyPending()).id).toBe(id);
    await ours.answerById(id, approve, approve);
    expect(ours.ran).toEqual(["c {}", "a {}", "b {}"]);
  },
);

test.each(variants)(
  "batched: calls that may not all run at once wait for the turn as well ($variant)",
  async ({ open }) => {
    const ours = heldAgent(await open(), options, { script });
    const two = { maxConcurrency: 2 }; // with 1 LangGraph 1.7.3 runs the first task only
    await ours.ask("go", two);
    expect(ours.ran).toEqual([]);
    await ours.resume({ decisions: [approve, approve] }, two);
    expect(ours.ran).toEqual(["c {}", "a {}", "b {}"]);
  },
);

test.each(["batched", "per_call"] as const)(
  "%s: a thread that LangChain's middleware had paused is asked about anew once it is repaired",
  async (interruptMode) => {
    const saver = new MemorySaver();
    const ran: string[] = [];
    await stockAgent(options, { script, saver, ran }).ask();
    const restart = () => Promise.reject(new Error("not restarted here"));
    const ours = heldAgent(
      { checkpointer: saver, restart },
      { interruptOn: { a: true }, interruptMode },
      { script, ran },
    );
    expect(await repairThread(ours.agent, ours.config)).toMatchObject({ repaired: true });
    await ours.agent.invoke(null as never, ours.config); // as LangGraph goes on where a thread stands
    expect(ran).not.toContain("a {}");
    await ours.decide({ a: approve });
    expect(ran.toSorted()).toEqual(["a {}", "b {}", "c {}"]);
    expect(await repairThread(ours.agent, ours.config)).toMatchObject({ repaired: false });
  },
);

/** A middleware before the gate that treats a call of `tool` in its own way from the second time on. */
function changesItsMind(tool: string, second: () => Promise<void> | ToolMessage): AgentMiddleware {
  let times = 0;
  return createMiddleware({
    name: "ChangesItsMind",
    wrapToolCall: async (request, handler) => {
      if (request.toolCall.name === tool) times += 1;
      const answer = request.toolCall.name === tool && times > 1 ? await second() : undefined;
      return answer ?? handler(request);
    },
  });
}

const answers = [
  ["by its id", (ours: TestAgent, id: string) => ours.answerById(id, approve, reject)],
  ["without a name", (ours: TestAgent) => ours.answer(approve, reject)],
] as const;
const answered = variants.flatMap((one) =>
  answers.map(([how, answer]) => ({ ...one, how, answer })),
);

test.each(answered)(
  "batched: an answer $how counts for the turn when the call that asked comes last ($variant)",
  async ({ open, answer }) => {
    const slow = changesItsMind("c", () => new Promise((resolve) => setTimeout(resolve, 20)));
    const ours = heldAgent(await open(), options, { script, before: [slow] });
    await ours.ask();
    await answer(ours, (await ours.onlyPending()).id);
    expect(ours.ran.toSorted()).toEqual(["a {}", "c {}"]);
    expect((await ours.pending()).length).toBe(0);
    expect(await ours.dangling()).toEqual([]);
  },
);

test.each(answered)(
  "batched: an answer $how counts for the turn when the call that asked does not come again ($variant)",
  async ({ open, answer }) => {
    const cached = changesItsMind(
      "c",
      () => new ToolMessage({ tool_call_id: "call_0_0_0", name: "c", content: "from a cache" }),
    );
    const ours = heldAgent(await open(), options, { script, before: [cached] });
    await ours.ask();
    await answer(ours, (await ours.onlyPending()).id);
    expect(ours.ran).toEqual(["a {}"]);
    expect(await ours.dangling()).toEqual([]);
  },
);

test.each(variants)(
  "batched: a wrong answer is refused once, whichever call of the turn comes first ($variant)",
  async ({ open }) => {
    const slow = changesItsMind("c", () => new Promise((resolve) => setTimeout(resolve, 20)));
    const ours = heldAgent(await open(), options, { script, before: [slow] });
    await ours.ask();
    const { id } = await ours.onlyPending();
    expect(await refusalOfFailure(ours.answerById(id, approve))).toMatchObject({
      code: "decision_count",
    });
    expect(ours.ran).toEqual([]);
    await ours.answerById(id, approve, approve);
    expect(ours.ran.toSorted()).toEqual(["a {}", "b {}", "c {}"]);
  },
);

test.each(variants)(
  "batched: a process that ends while calls of a decided turn run leaves one question about each ($variant)",
  async ({ open }) => {
    const place = await open();
    const ran: string[] = [];
    const ends = new AbortController();
    const never = tool(
      async () => {
        ran.push("b started");
        setTimeout(() => ends.abort(), 50); // the others have ended by then
        await new Promise(() => undefined);
      },
      { name: "b", description: "never ends", schema: z.looseObject({}) },
    );
    const [a, , c] = threeTools(ran);
    const tools = [a, never, c].filter((one) => one !== undefined);
    const first = heldAgent(place, options, { script, tools });
    await first.ask();
    const answer = { decisions: [approve, approve] };
    await first.resume(answer, { signal: ends.signal }).catch(() => undefined);
    expect(ran).toEqual(["c {}", "a {}", "b started"]);
    const second = heldAgent(await place.restart(), options, { script, ran });
    await second.agent.invoke(null as never, second.config); // as LangGraph goes on where a thread stands
    // What an ended call was asked before stays beside it in LangGraph's state.
    const [last, ...others] = (await second.pending()).toReversed();
    expect(others.map(({ value }) => value["cause"])).toEqual(["policy"]);
    expect(last?.value).toMatchObject({
      cause: "unknown_receipt",
      actionRequests: [{ name: "b", reasonCode: "unknown_receipt" }],
    });
    expect(ran).toEqual(["c {}", "a {}", "b started"]);
    await second.answer(reject);
    expect(ran).toEqual(["c {}", "a {}", "b started"]);
    expect(await second.dangling()).toEqual([]);
  },
);

test.each(variants)(
  "batched: the rules are asked once about a free call that waits with its turn ($variant)",
  async ({ open }) => {
    const asked: string[] = [];
    const when = () => {
      asked.push("c");
      return asked.length > 1;
    };
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true, c: { allowedDecisions: ["approve"], when } } },
      { script: turns([{ name: "c" }, { name: "a" }]) },
    );
    await ours.ask();
    await ours.answer(approve);
    expect(ours.ran).toEqual(["c {}", "a {}"]);
    expect(asked).toEqual(["c"]);
  },
);

const changes = variants.flatMap((one) => [
  { ...one, from: "batched", to: "per_call" } as const,
  { ...one, from: "per_call", to: "batched" } as const,
]);

test.each(changes)(
  "answers count that come after interruptMode was changed from $from to $to ($variant)",
  async ({ open, from, to }) => {
    const place = await open();
    const ran: string[] = [];
    const surroundings = { script, ran };
    const before = heldAgent(place, { ...options, interruptMode: from }, surroundings);
    await before.ask();
    const after = heldAgent(await place.restart(), { ...options, interruptMode: to }, surroundings);
    await after.decide({ a: approve, b: reject });
    expect(ran.toSorted()).toEqual(["a {}", "c {}"]);
    expect(await after.dangling()).toEqual([]);
    expect((await after.toolMessages()).map(({ status }) => status)).toEqual([
      "success",
      "success",
      "error",
    ]);
  },
);

test.each(variants)(
  "batched: a caller may use one abort signal for all its runs ($variant)",
  async ({ open }) => {
    const { signal } = new AbortController();
    const ours = heldAgent(await open(), options, { script });
    await ours.ask("go", { signal });
    await ours.resume({ decisions: [approve, approve] }, { signal });
    await ours.ask("again", { signal });
    await ours.resume({ decisions: [approve, reject] }, { signal });
    expect(ours.ran).toEqual(["c {}", "a {}", "b {}", "c {}", "a {}"]);
  },
);
