import { join } from "node:path";
import { type HeldAgent, type HoldAgentParams, holdAgent } from "@holdpoint/langchain";
import { chooseModel } from "./model/choose-model.ts";
import type { Environment } from "./model/model-choice.ts";
import { interruptOn } from "./policy.ts";
import { seedWorkspace } from "./seed-workspace.ts";
import { allTools } from "./tools/all-tools.ts";

const SYSTEM_PROMPT = `You are an assistant that works in a small workspace of text files.
Paths are relative to the workspace. Call tools right away when you are asked for something; a
person reviews risky calls before they run, so do not ask for permission in the chat.
When a reviewer rejects a call with a reason, follow the reason and try once more in another way;
when there is no reason, do not repeat the call. Never claim that something was done if its tool
result does not say so. Answer in the language of the user.`;

/**
 * Makes the quickstart's agent: seven tools on the folder `workspace`, with its outbox and ledger in
 * `dataFolder`, and every risky call held by `holdpoint` until a person has decided.
 */
export async function createQuickstart(options: {
  readonly holdpoint: HoldAgentParams["holdpoint"];
  readonly workspace: string;
  readonly dataFolder: string;
  readonly env: Environment;
}): Promise<HeldAgent> {
  const { holdpoint, workspace, dataFolder, env } = options;
  await seedWorkspace(workspace);
  const { model } = await chooseModel(env);
  const outbox = join(dataFolder, "outbox");
  const ledger = join(dataFolder, "ledger.db");
  return holdAgent({
    name: "assistant",
    model,
    tools: allTools({ workspace, dataFolder, outbox, ledger, env }),
    interruptOn,
    holdpoint,
    systemPrompt: SYSTEM_PROMPT,
  });
}
