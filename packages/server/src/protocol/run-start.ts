import { type JsonObject, refusalOf } from "@holdpoint/core";
import { type Engine, newId } from "@holdpoint/engine";
import type { LoadedAgent } from "../host/load-agents.ts";
import { type CommandResult, commandError, type HumanMessage, runStartSchema } from "./commands.ts";

/**
 * Starts a run with a person's message. Refused while a card waits on the thread; the same messages
 * (by the ids that the client gave them) sent again return the first run.
 */
export async function startRun(
  engine: Engine,
  agents: ReadonlyMap<string, LoadedAgent>,
  threadId: string,
  params: unknown,
): Promise<CommandResult> {
  const read = runStartSchema.safeParse(params);
  if (!read.success) {
    return commandError(
      "invalid_argument",
      'run.start needs assistant_id and input.messages, and a client may only add human messages: { type: "human", content }.',
    );
  }
  const { assistant_id: agentName, input } = read.data;
  const agent = agents.get(agentName);
  if (agent === undefined) {
    const known = [...agents.keys()].join(", ");
    return commandError(
      "invalid_argument",
      `There is no agent "${agentName}"; this server hosts ${known}.`,
    );
  }
  if (agent.status === "failed") return commandError("invalid_argument", agent.error.message);
  if (input === null) return commandError("invalid_argument", await withoutInput(engine, threadId));
  const messages = input.messages.map(withId);
  const result = await engine.runs
    .start({
      threadId,
      agent: agentName,
      input: { messages },
      dedupeKey: messages.map((message) => message.id).join(" "),
    })
    .catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return { type: "refused" as const, refusal };
    });
  if (result.type === "refused") return commandError("invalid_argument", result.refusal.message);
  return { type: "success", result: { run_id: result.run.id } };
}

async function withoutInput(engine: Engine, threadId: string): Promise<string> {
  const [review] = await engine.reviews.openOf(threadId);
  return review === undefined
    ? 'run.start carries no input; send { messages: [{ type: "human", content }] }.'
    : `This thread is waiting for a decision on review ${review.id}. Use stream.respond(response, { interruptId }); submit(null, { command }) carries no decision in this SDK version.`;
}

/** A message without an id gets a new one, so that the same words twice are two messages. */
function withId(message: HumanMessage): JsonObject & { readonly id: string } {
  return { type: message.type, content: message.content, id: message.id ?? newId("msg") };
}
