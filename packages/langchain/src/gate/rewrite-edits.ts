import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { type Call, isJsonObject, rewriteCall } from "@holdpoint/core";

type ModelRequest = { readonly messages: BaseMessage[] };

/**
 * Before the model is asked again, calls that ran edited are put into the history as they ran, for the
 * model and in the thread's state. In one place, once for all edits of a turn, so that two calls edited
 * at the same time never overwrite each other's change.
 */
export async function rewriteEdits<Request extends ModelRequest, Response>(
  request: Request,
  handler: (request: Request) => Response | Promise<Response>,
): Promise<Response | Command> {
  const ran = editsIn(request.messages);
  if (ran.size === 0) return handler(request);
  const rewritten = new Map<BaseMessage, AIMessage>();
  for (const message of request.messages) {
    const next = AIMessage.isInstance(message) ? rewriteMessage(message, ran) : undefined;
    if (next !== undefined) rewritten.set(message, next);
  }
  if (rewritten.size === 0) return handler(request);
  await handler({
    ...request,
    messages: request.messages.map((message) => rewritten.get(message) ?? message),
  });
  return new Command({ update: { messages: [...rewritten.values()] } });
}

function editsIn(messages: readonly BaseMessage[]): ReadonlyMap<string, Call> {
  const edits = new Map<string, Call>();
  for (const message of messages) {
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
  const stale = calls.filter((call) => isStale(call, edits.get(call.id ?? "")));
  if (stale.length === 0) return undefined;
  const carrier = stale.reduce(
    (one, call) => {
      const edit = edits.get(call.id ?? "");
      return edit === undefined ? one : rewriteCall(one, call.id ?? "", edit);
    },
    {
      content: message.content as unknown,
      toolCalls: calls,
      additionalKwargs: message.additional_kwargs,
    },
  );
  const fields = {
    ...message.lc_kwargs,
    id: message.id,
    content: carrier.content,
    tool_calls: [...carrier.toolCalls],
    additional_kwargs: { ...carrier.additionalKwargs },
  };
  return new AIMessage(fields as ConstructorParameters<typeof AIMessage>[0]); // its own fields, other arguments
}

function isStale(call: { name: string; args: unknown }, edit: Call | undefined): boolean {
  return (
    edit !== undefined &&
    (call.name !== edit.name || JSON.stringify(call.args) !== JSON.stringify(edit.args))
  );
}
