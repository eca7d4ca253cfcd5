import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { HumanMessage } from "@langchain/core/messages";
import { expect, onTestFinished, test } from "vitest";
import { type Child, startChild } from "../../packages/engine/src/testing/child-process.ts";
import { openAgent, type Places } from "./resume-child.ts";

const rounds = 8;

type Outcome = {
  readonly error?: string;
  readonly conflicts?: readonly ({ by: string; at: string; decision: string } | null)[];
  readonly texts?: readonly string[];
};

/** Two processes with agents of their own over the same places, which have nothing in common in memory. */
async function twoProcesses(places: Places, env: Readonly<Record<string, string>>) {
  const script = new URL("./resume-child.ts", import.meta.url);
  const children = [0, 1].map(() => startChild(script, ["serve"], env));
  for (const child of children) await said(child, "ready");
  for (const child of children) child.send(JSON.stringify({ open: places }));
  for (const child of children) await said(child, "open");
  return async (threadId: string, resumes: readonly unknown[]): Promise<readonly Outcome[]> => {
    children.forEach((child, index) => {
      child.send(JSON.stringify({ threadId, resume: resumes[index] }));
    });
    const lines = await Promise.all(children.map((child) => child.next()));
    return lines.map((line) => JSON.parse(line) as Outcome); // printed by our own child
  };
}

/** A seeded fault says on the same stream where it is. */
async function said(child: Child, word: string): Promise<void> {
  while ((await child.next()) !== word);
}

/** Everything that is wrong after two processes answered the same pause at once, in so many rounds. */
async function wrongsOf(
  { isForeign, interruptMode }: Pick<(typeof cases)[number], "isForeign" | "interruptMode">,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "two-processes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const record = `file:${join(folder, "record.db")}`;
  const checkpoints = isForeign ? `file:${join(folder, "checkpoints.db")}` : record;
  const places = { record, checkpoints, log: join(folder, "log.txt"), interruptMode };
  const { agent, engine, close } = await openAgent(places);
  onTestFinished(close);
  const resume = await twoProcesses(places, env);
  const wrongs: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const threadId = `thread_${round}`;
    await agent.invoke(
      { messages: [new HumanMessage("go")] },
      { configurable: { thread_id: threadId } },
    );
    const [review] = await engine.openReviewsOf(threadId);
    if (review === undefined) throw new Error("no review waits");
    const ranBefore = linesOf(places.log);
    const second = round % 2 === 0 ? "reject" : "approve";
    const answers = ["approve", second].map((type) => ({
      [review.interruptId]: { decisions: [{ type }] },
    }));
    const outcomes = await resume(threadId, answers);
    const state = (await engine.readReview(review.id))?.actions[0]?.state;
    const outcome = state?.status === "decided" ? state.outcome.type : "none";
    const ran = linesOf(places.log) - ranBefore;
    wrongs.push(...wrongsIn({ second, outcome, ran, outcomes }).map((one) => `${round}: ${one}`));
  }
  return wrongs;
}

function wrongsIn(seen: {
  readonly second: "approve" | "reject";
  readonly outcome: string;
  readonly ran: number;
  readonly outcomes: readonly Outcome[];
}): readonly string[] {
  const { second, outcome, ran, outcomes } = seen;
  const conflicts = outcomes.flatMap((one) => one.conflicts ?? []);
  const told = conflicts.map((conflict) => conflict?.decision);
  const right = second === "approve" ? [] : [outcome === "approved" ? "approve" : "reject"];
  const errors = outcomes.flatMap(({ error }) => (error === undefined ? [] : [error]));
  return [
    ...errors,
    ...(ran === (outcome === "approved" ? 1 : 0) ? [] : [`${outcome}, and it ran ${ran} times`]),
    ...(JSON.stringify(told) === JSON.stringify(right)
      ? []
      : [`the losers were told ${told.join(", ") || "nothing"}`]),
    ...(second === "reject" || outcomes.every(({ texts }) => texts?.includes("paid 7"))
      ? []
      : ["one of two equal answers did not get the result"]),
  ];
}

const cases = [
  { saver: "our checkpointer", isForeign: false, interruptMode: "batched" },
  { saver: "our checkpointer", isForeign: false, interruptMode: "per_call" },
  { saver: "a checkpointer of another database", isForeign: true, interruptMode: "batched" },
  { saver: "a checkpointer of another database", isForeign: true, interruptMode: "per_call" },
] as const;

test.each(cases)(
  "H4, H5: two processes resume at once: one run, one winner, and the loser learns who won ($saver, $interruptMode)",
  async (one) => {
    expect(await wrongsOf(one)).toEqual([]);
  },
);

test("negative control: where the second decision replaces the first, nobody is told", async () => {
  const fault = new URL("../faults/apply-fault.mjs", import.meta.url).pathname;
  const options = `${process.env["NODE_OPTIONS"] ?? ""} --import=${fault}`;
  const env = { NODE_OPTIONS: options, HOLDPOINT_FAULT: "second-decision-wins" };
  const wrongs = await wrongsOf({ isForeign: false, interruptMode: "per_call" }, env);
  expect(wrongs.join("\n")).toContain("the losers were told nothing");
});

function linesOf(log: string): number {
  return existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0;
}
