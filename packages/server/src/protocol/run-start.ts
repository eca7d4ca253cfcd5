import { isJsonObject, type JsonObject, refusalOf, sameJson } from "@holdpoint/core";
import { type Engine, newId } from "@holdpoint/engine";
import { type HostedAgent, readThreadState } from "@holdpoint/langchain";
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
  const dedupeKey = JSON.stringify(messages.map((message) => message.id));
  const checkedAt = await engine.runs.latest(threadId);
  const taken = await takenId(engine, agent.agent, { threadId, messages, dedupeKey });
  if (taken !== undefined)
    return commandError("invalid_argument", alreadyInThread(threadId, taken));
  const result = await engine.runs
    .start({
      threadId,
      agent: agentName,
      input: { messages },
      dedupeKey,
      ...(checkedAt === undefined ? {} : { checkedAt }),
    })
    .catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return { type: "refused" as const, refusal };
    });
  if (result.type === "refused") return commandError("invalid_argument", result.refusal.message);
  return { type: "success", result: { run_id: result.run.id } };
}

type Asked = {
  readonly threadId: string;
  readonly messages: readonly (JsonObject & { readonly id: string })[];
  readonly dedupeKey: string;
};

/**
 * The first id that would replace a message of the thread: LangGraph puts a message in the place of the
 * one with its id, so a person could speak for the agent. The messages of a known run, or of one that
 * failed or was cancelled, may be sent again as they are.
 */
async function takenId(
  engine: Engine,
  agent: HostedAgent,
  { threadId, messages, dedupeKey }: Asked,
): Promise<string | undefined> {
  if ((await engine.runs.thread(threadId)) === undefined) return undefined;
  if ((await engine.runs.startedWith(threadId, dedupeKey)) !== undefined) return undefined;
  const { state } = await readThreadState(agent, engine, threadId);
  const known = new Map(messagesOf(state.values).map((message) => [message.id, message]));
  const taken = messages.filter((message) => known.has(message.id));
  const isRepeat =
    taken.length === messages.length &&
    messages.every((message) => {
      const { type, content } = known.get(message.id) ?? {};
      return type === "human" && sameJson(content ?? null, message["content"] ?? null);
    });
  return isRepeat ? undefined : taken[0]?.id;
}

function messagesOf(values: unknown): readonly JsonObject[] {
  if (!isJsonObject(values) || !Array.isArray(values["messages"])) return [];
  return values["messages"].filter(isJsonObject);
}

function alreadyInThread(threadId: string, messageId: string): string {
  return `Thread ${threadId} has a message ${messageId} already, and a message cannot be replaced; send the new one under an id of its own.`;
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
