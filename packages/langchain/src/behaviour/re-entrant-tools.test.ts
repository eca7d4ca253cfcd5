import { interrupt } from "@langchain/langgraph";
import { tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { answerEach } from "./answer-each.ts";
import { cases, heldAgent, type Place, sealedAgent, turns, variants } from "./set-up.ts";

const script = turns([{ name: "a", args: { x: 1 } }]);
const approve = { type: "approve" };
const engines = cases.filter(({ variant }) => variant !== "MemorySaver");

/** The tool a, which asks a person so many questions; it notes each start and each end. */
function askingTool(ran: string[], questions: number) {
  return tool(
    async () => {
      ran.push("started");
      const answers = Array.from({ length: questions }, (_, index) =>
        String(interrupt({ question: index })),
      );
      ran.push(`ended with ${answers.join()}`);
      return answers.join();
    },
    { name: "a", description: "asks", schema: z.looseObject({}) },
  );
}

async function permitOf({ holdpoint }: Place): Promise<string | undefined> {
  for (const status of ["settled", "open"] as const) {
    const page = await holdpoint?.reviews.list({ status, order: "oldest", limit: 9 });
    const action = page?.reviews.flatMap((review) => review.actions).find((one) => one.permit);
    if (action !== undefined) return action.permit;
  }
  return undefined;
}

test.each(cases)(
  "an approved tool that asks starts once for each answer ($variant, $mode)",
  async ({ open, mode }) => {
    const ran: string[] = [];
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script, ran, tools: [askingTool(ran, 2)] },
    );
    await ours.ask();
    expect(ran).toEqual([]);
    await answerEach(ours, () => approve);
    expect(ran).toEqual(["started"]);
    await ours.resume({ [(await ours.onlyPending()).id]: "one" });
    expect(ran).toEqual(["started", "started"]);
    await ours.resume({ [(await ours.onlyPending()).id]: "two" });
    expect(ran).toEqual(["started", "started", "started", "ended with one,two"]);
    expect((await ours.toolMessages()).map((one) => one.text)).toEqual(["one,two"]);
  },
);

test.each(engines)(
  "its permit is suspended while it asks, and used up at the end ($variant, $mode)",
  async ({ open, mode }) => {
    const ran: string[] = [];
    const place = await open();
    const ours = heldAgent(
      place,
      { interruptOn: { a: true }, interruptMode: mode },
      { script, ran, tools: [askingTool(ran, 1)] },
    );
    await ours.ask();
    await answerEach(ours, () => approve);
    expect(await permitOf(place)).toBe("suspended");
    await ours.resume({ [(await ours.onlyPending()).id]: "one" });
    expect(await permitOf(place)).toBe("succeeded");
  },
);

test.each(cases)(
  "the same answer twice at once starts it once ($variant, $mode)",
  async ({ open, mode }) => {
    const ran: string[] = [];
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script, ran, tools: [askingTool(ran, 1)] },
    );
    await ours.ask();
    await answerEach(ours, () => approve);
    const { id } = await ours.onlyPending();
    await Promise.allSettled([ours.resume({ [id]: "one" }), ours.resume({ [id]: "one" })]);
    expect(ran).toEqual(["started", "started", "ended with one"]);
  },
);

test.each(cases)(
  "a decision sent again while it asks starts nothing and answers nothing ($variant, $mode)",
  async ({ open, mode }) => {
    const ran: string[] = [];
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script, ran, tools: [askingTool(ran, 1)] },
    );
    await ours.ask();
    const { id } = await ours.onlyPending();
    await answerEach(ours, () => approve);
    const question = await ours.onlyPending();
    await ours.resume({ [id]: { decisions: [approve] } }).catch(() => undefined); // told that it is decided, or given what waits
    expect(ran.filter((one) => one.startsWith("ended"))).toEqual([]);
    expect((await ours.onlyPending()).value).toEqual(question.value);
    await ours.resume({ [(await ours.onlyPending()).id]: "one" });
    expect(ran.at(-1)).toBe("ended with one");
  },
);

test.each(variants.slice(-1))(
  "under holdAgent a tool that asks starts once for each answer, and not again after its end ($variant)",
  async ({ open }) => {
    const ran: string[] = [];
    const place = await open();
    const ours = sealedAgent(
      place,
      { interruptOn: { a: true } },
      { script, ran, tools: [askingTool(ran, 1)] },
    );
    await ours.ask();
    await answerEach(ours, () => approve);
    const { id } = await ours.onlyPending();
    await ours.resume({ [id]: "one" });
    const after = ["started", "started", "ended with one"];
    expect(ran).toEqual(after);
    await ours.resume({ [id]: "one" }).catch(() => undefined); // a repeat of an answered question
    expect(ran).toEqual(after);
    expect(await permitOf(place)).toBe("succeeded");
  },
);
