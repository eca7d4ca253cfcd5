import { AIMessage, type BaseMessage, RemoveMessage } from "@langchain/core/messages";
import { Command, REMOVE_ALL_MESSAGES } from "@langchain/langgraph";
import { loopEndedText } from "@holdpoint/core";
import { newId } from "@holdpoint/engine/ids";
import { askAgain } from "../turn/ask-again.ts";
import type { BoundGate } from "../gate/bound-gate.ts";
import { withOwnIds } from "./own-ids.ts";
import { repairHistory } from "./repair-history.ts";
import { resultsFirst } from "./results-first.ts";
import type { Task } from "../pause/task.ts";
import { isRepeatedMessage } from "../tool/tool-messages.ts";
import { type LastTurn, lastTurn, sinceLastHuman } from "../turn/turns.ts";

/** What the model's node returns besides a message when it was asked for a structured response. */
type StructuredResult = { readonly structuredResponse: unknown; readonly messages: BaseMessage[] };

type ModelRequest = {
  readonly messages: BaseMessage[];
  readonly state: { readonly messages: BaseMessage[] };
  readonly runtime: unknown;
};

/**
 * Around a model call. Before it: the history is put right, for the model and in the thread, so that it
 * shows what ran and has one result for each call; a model that only repeats what was rejected is not
 * asked again. After it: every tool call has an id of its own.
 */
export async function askModel<Request extends ModelRequest, Response>(
  gate: BoundGate,
  task: Task,
  request: Request,
  handler: (request: Request) => Response | Promise<Response>,
): Promise<Response | AIMessage | Command> {
  const { messages } = request;
  const turn = lastTurn(messages);
  const loop = turn === undefined ? undefined : loopIn(messages, turn);
  if (loop !== undefined) return new AIMessage(loopEndedText(loop));
  const asked = turn === undefined ? undefined : await askAgain(gate, task, turn, request);
  if (asked !== undefined) return asked;
  const repaired = turn === undefined ? undefined : await repairHistory(gate, task, turn, messages);
  const history = resultsFirst(repaired?.messages ?? messages);
  const shown = history === messages ? request : { ...request, messages: [...history] };
  const result = withOwnIds(await handler(shown));
  if (repaired === undefined) return result;
  if (isStructured(result)) {
    const merged = { ...result, messages: [...repaired.changes, ...result.messages] };
    return merged as Response; // the same kind of result with more messages
  }
  if (!repaired.isReordered || !AIMessage.isInstance(result))
    return new Command({ update: { messages: [...repaired.changes] } });
  // The model's message is written before this command, which then replaces the whole list.
  if (result.id === undefined) result._updateId(newId("msg")); // also in what it writes itself down with
  const all = [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...repaired.messages, result];
  return new Command({ update: { messages: all } });
}

/** The tool that the model goes on calling although nobody is asked about it any more. */
function loopIn(messages: readonly BaseMessage[], { results }: LastTurn): string | undefined {
  if (![...results.values()].some(isRepeatedMessage)) return undefined;
  const repeated = sinceLastHuman(messages).filter(isRepeatedMessage);
  return repeated.length < 2 ? undefined : (repeated.at(-1)?.name ?? "");
}

function isStructured(result: unknown): result is StructuredResult {
  return (
    typeof result === "object" &&
    result !== null &&
    "structuredResponse" in result &&
    "messages" in result
  );
}
