import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { type Call, isJsonObject, rewriteCall, sameJson } from "@holdpoint/core";

type ModelRequest = { readonly messages: BaseMessage[] };

/** What the model's node returns besides a message when it was asked for a structured response. */
type StructuredResult = { readonly structuredResponse: unknown; readonly messages: BaseMessage[] };

/**
 * Before the model is asked again, calls that ran edited are put into the history as they ran, for the
 * model and in the thread's state. In one place, once for all edits of a turn, so that two calls edited
 * at the same time never overwrite each other's change.
 */
export async function rewriteEdits<Request extends ModelRequest, Response>(
  request: Request,
  handler: (request: Request) => Response | Promise<Response>,
): Promise<Response | Command> {
  const rewritten = rewriteAll(request.messages);
  if (rewritten.size === 0) return handler(request);
  const messages = request.messages.map((message) => rewritten.get(message) ?? message);
  const result = await handler({ ...request, messages });
  if (isStructured(result)) {
    const merged = { ...result, messages: [...rewritten.values(), ...result.messages] };
    return merged as Response; // the same kind of result with more messages
  }
  return new Command({ update: { messages: [...rewritten.values()] } });
}

/** Each AI message whose calls ran otherwise; only the results that follow it, up to the next one, count. */
function rewriteAll(messages: readonly BaseMessage[]): ReadonlyMap<BaseMessage, AIMessage> {
  const rewritten = new Map<BaseMessage, AIMessage>();
  messages.forEach((message, index) => {
    if (!AIMessage.isInstance(message)) return;
    const next = messages.findIndex((one, at) => at > index && AIMessage.isInstance(one));
    const results = messages.slice(index + 1, next === -1 ? undefined : next);
    const changed = rewriteMessage(message, editsIn(results));
    if (changed !== undefined) rewritten.set(message, changed);
  });
  return rewritten;
}

function editsIn(results: readonly BaseMessage[]): ReadonlyMap<string, Call> {
  const edits = new Map<string, Call>();
  for (const message of results) {
    if (!ToolMessage.isInstance(message)) continue;
    const note = message.additional_kwargs["holdpoint"];
    const call = isJsonObject(note) ? note.ranInstead : undefined;
    if (isJsonObject(call) && typeof call.name === "string" && isJsonObject(call.args)) {
      edits.set(message.tool_call_id, { name: call.name, args: call.args });
    }
  }
  return edits;
}

function rewriteMessage(
  message: AIMessage,
  edits: ReadonlyMap<string, Call>,
): AIMessage | undefined {
  const calls = message.tool_calls ?? [];
  let carrier = {
    content: message.content as unknown, // blocks of any provider
    toolCalls: calls,
    additionalKwargs: message.additional_kwargs,
  };
  let isChanged = false;
  for (const call of calls) {
    const edit = edits.get(call.id ?? "");
    if (edit === undefined || isSame(call, edit)) continue;
    carrier = { ...carrier, ...rewriteCall(carrier, call.id ?? "", edit) };
    isChanged = true;
  }
  if (!isChanged) return undefined;
  const fields = {
    ...message.lc_kwargs,
    id: message.id,
    content: carrier.content,
    tool_calls: carrier.toolCalls,
    additional_kwargs: carrier.additionalKwargs,
  };
  return new AIMessage(fields as ConstructorParameters<typeof AIMessage>[0]); // its own fields, other arguments
}

function isSame(call: { readonly name: string; readonly args: unknown }, edit: Call): boolean {
  return call.name === edit.name && isJsonObject(call.args) && sameJson(call.args, edit.args);
}

function isStructured(result: unknown): result is StructuredResult {
  return (
    typeof result === "object" &&
    result !== null &&
    "structuredResponse" in result &&
    "messages" in result
  );
}
