// Run by tests in a process of its own: opens an engine and does what it is told, one line at a time.
import { existsSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import process from "node:process";
import { createInterface } from "node:readline";
import type {
  ActionId,
  Digest,
  NamedDecision,
  Reviewer,
  ReviewDraft,
  ReviewId,
} from "@holdpoint/core";
import { type Engine, openEngine } from "../engine.ts";
import type { Run } from "../storage/storage.ts";

/** What the process can be told. */
export type EngineCommand =
  | { readonly type: "open"; readonly database: string; readonly patience?: number }
  | {
      readonly type: "decide";
      readonly reviewer: Reviewer;
      readonly requests: readonly {
        readonly reviewId: ReviewId;
        readonly decisions: readonly NamedDecision[];
      }[];
    }
  | { readonly type: "start"; readonly actionId: ActionId; readonly digest: Digest }
  | {
      readonly type: "run";
      readonly actionId: ActionId;
      readonly digest: Digest;
    }
  | { readonly type: "claim"; readonly agents: readonly string[] }
  /** Opens a review and approves it, each a change of its own. */
  | { readonly type: "hold"; readonly draft: ReviewDraft; readonly reviewer: Reviewer }
  | { readonly type: "health" }
  | { readonly type: "end"; readonly run: Run }
  /** Takes one delivery and does nothing else until this file is there. */
  | { readonly type: "deliver"; readonly topic: string; readonly goOn: string };

let engine: Engine | undefined;

async function perform(command: EngineCommand): Promise<unknown> {
  if (command.type === "open") {
    const { database, patience = 15_000 } = command;
    engine = await openEngine({ database, retry: { patience } });
    return "open";
  }
  if (engine === undefined) throw new Error("open the engine first");
  const { decide, startPermit, closePermit, runs } = engine;
  switch (command.type) {
    case "decide":
      return Promise.all(
        command.requests.map((request) => decide({ ...request, reviewer: command.reviewer })),
      );
    case "start":
      return startPermit(command.actionId, command.digest);
    case "run": {
      const started = await startPermit(command.actionId, command.digest);
      if (started.type === "refused") return started;
      const receipt = { status: "succeeded", message: { content: "ran" } } as const;
      return closePermit(command.actionId, started.permit.fence, receipt);
    }
    case "claim":
      return runs.claim(command.agents);
    case "hold": {
      const { draft, reviewer } = command;
      await engine.openReview(draft);
      const decisions = draft.actions.map((action) => ({
        actionId: action.id,
        decision: { type: "approve" } as const,
      }));
      return (await decide({ reviewId: draft.id, decisions, reviewer })).type;
    }
    case "health":
      return engine.health();
    case "end":
      return runs.end(command.run, "completed", []);
    case "deliver":
      return takeOne(engine, command);
    default:
      return command satisfies never;
  }
}

/** Blocks the whole process, so that no timer of its own runs while it stands still. */
async function takeOne(
  { deliveries }: Engine,
  { topic, goOn }: { readonly topic: string; readonly goOn: string },
): Promise<unknown> {
  const told = Promise.withResolvers<number>();
  const leave = await deliveries.deliver(topic, async ({ fence }) => {
    told.resolve(fence);
    writeSync(1, `${JSON.stringify({ told: fence })}\n`);
    while (!existsSync(goOn)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  });
  const fence = await told.promise;
  await leave();
  return { done: fence };
}

flushCompileCache(); // it may not live to its end
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  try {
    const answer = await perform(JSON.parse(line) as EngineCommand); // written by our own test
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ failed: String(error) })}\n`);
  }
}
await engine?.close();
