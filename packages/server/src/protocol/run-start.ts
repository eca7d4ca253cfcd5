import { digestJson, isJsonObject, type JsonObject, refusalOf } from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import type { LoadedAgent } from "../host/load-agents.ts";
import { type CommandResult, commandError, runStartSchema } from "./commands.ts";

/** Messages that a client may add; anything else could forge a call or its result. */
const allowedMessages = new Set(["human", "user"]);

/**
 * Starts a run with a person's message. Refused while a card waits on the thread; the same messages
 * sent again return the first run.
 */
export async function startRun(
  engine: Engine,
  agents: ReadonlyMap<string, LoadedAgent>,
  threadId: string,
  params: unknown,
): Promise<CommandResult> {
  const read = runStartSchema.safeParse(params);
  if (!read.success) return commandError("invalid_argument", "run.start needs assistant_id and input.messages.");
  const { assistant_id: agentName, input } = read.data;
  const agent = agents.get(agentName);
  if (agent === undefined) {
    return commandError("invalid_argument", `There is no agent "${agentName}"; this server hosts ${[...agents.keys()].join(", ")}.`);
  }
  if (agent.status === "failed") return commandError("invalid_argument", agent.error.message);
  const problem = input === null ? await problemWithoutInput(engine, threadId) : problemWithInput(input);
  if (problem !== undefined || input === null) return commandError("invalid_argument", problem ?? "There is no input.");
  const messages = withIds(input.messages as JsonObject[], threadId); // `problemWithInput` has checked them
  const result = await engine.runs
    .start({
      threadId,
      agent: agentName,
      input: { messages },
      dedupeKey: messages.map((message) => String(message.id)).join(" "),
    })
    .catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return { type: "refused" as const, refusal };
    });
  if (result.type === "refused") return commandError("invalid_argument", result.refusal.message);
  return { type: "success", result: { run_id: result.run.id } };
}

async function problemWithoutInput(engine: Engine, threadId: string): Promise<string> {
  const [review] = await engine.reviews.openOf(threadId);
  return review === undefined
    ? "run.start carries no input; send { messages: [{ type: \"human\", content }] }."
    : `This thread is waiting for a decision on review ${review.id}. Use stream.respond(response, { interruptId }); submit(null, { command }) carries no decision in this SDK version.`;
}

function problemWithInput(input: Readonly<Record<string, unknown>>): string | undefined {
  const stray = Object.keys(input).find((key) => key !== "messages");
  if (stray !== undefined) return `The input may only hold messages; "${stray}" was refused.`;
  const { messages } = input;
  if (!Array.isArray(messages)) return "The input must hold a list of messages.";
  for (const message of messages as { type?: unknown }[]) {
    if (!isJsonObject(message)) return "A message holds something that JSON cannot carry; send plain text.";
    if (!allowedMessages.has(String(message.type))) {
      return `A message of type "${String(message.type)}" was refused; a client may only add human messages.`;
    }
  }
  return undefined;
}

/** A message without an id gets one from its content, so that a repeat of the request is still a repeat. */
function withIds(messages: readonly JsonObject[], threadId: string): JsonObject[] {
  return messages.map((message, index) =>
    typeof message.id === "string" ? message : { ...message, id: digestJson({ threadId, index, message }).slice(7, 39) },
  );
}
