// Run by the crash test in a process of its own, which is killed at a random moment: holds calls,
// decides them, runs them, and says on stdout what it has been promised. What the "tools" do is
// written to a file outside the database, one appended line for each start.
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { ActionId, Digest } from "@holdpoint/core";
import { openEngine } from "../engine.ts";
import { aDraft, anna, decideEach } from "./review-draft.ts";
import { printLine } from "./print-line.ts";

const [database = "", startsFile = "", mode = "honest"] = process.argv.slice(2);
flushCompileCache(); // it does not live to its end
say("ready");
await once(process.stdin, "data");
const engine = await openEngine({ database: `file:${database}` });

/** One synchronous write for each line: what was printed before the kill has left the process. */
function say(...words: readonly string[]): void {
  printLine(words.join(" "));
}

/** The seeded fault "early" says that it is done before it is. */
async function promised<Result>(
  words: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (mode === "early") say(...words);
  const result = await work();
  if (mode !== "early") say(...words);
  return result;
}

async function runTool(actionId: ActionId, digest: Digest): Promise<void> {
  const started = await engine.startPermit(actionId, digest);
  const before = await engine.storage.read((reading) => reading.findPermit(actionId));
  if (started.type === "refused") {
    // The seeded fault "retry" runs again what a dead process may have run.
    if (mode === "retry" && before?.permit.state.status === "unknown")
      appendFileSync(startsFile, `${actionId}\n`);
    return;
  }
  appendFileSync(startsFile, `${actionId}\n`);
  if (mode === "retry") await sleep(20); // so that it is often killed while a tool runs
  const receipt = { status: "succeeded", message: { content: "ran" } } as const;
  await promised(["closed", actionId], () =>
    engine.closePermit(actionId, started.permit.fence, receipt),
  );
}

/** What a dead process left behind is taken up first: settled as unknown, or run when it had not started. */
async function takeUp(): Promise<void> {
  const { reviews } = await engine.reviews.list({ status: "settled", order: "newest", limit: 20 });
  for (const { actions } of reviews) {
    for (const { id, digest, permit } of actions) {
      if (permit !== "unused" && permit !== "started") continue;
      await engine.awaitPermit(id);
      await runTool(id, digest as Digest); // a digest on the wire is a text
    }
  }
}

async function holdOne(): Promise<void> {
  const draft = aDraft(2);
  await promised(["opened", draft.id], () => engine.openReview(draft));
  const [action, other] = draft.actions;
  if (action === undefined || other === undefined) throw new Error("a draft of two has two");
  const decisions = decideEach(draft, { type: "approve" });
  await promised(["decided", draft.id], () =>
    engine.decide({ reviewId: draft.id, decisions, reviewer: anna }),
  );
  await runTool(action.id, action.digest);
  await runTool(other.id, other.digest);
}

await takeUp();
for (;;) await Promise.all([holdOne(), holdOne(), holdOne()]);
