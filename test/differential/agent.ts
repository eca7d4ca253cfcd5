import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { filingAgent } from "../../packages/langchain/src/deepagents/filing-agent.ts";
import { ScriptedModel } from "../../packages/langchain/src/testing/scripted-model.ts";
import { pick, seeded } from "../reliability/seeded.ts";
import type { PlayedGraph } from "./graph.ts";
import type { Played } from "./play.ts";
import { below, type Random, text } from "./values.ts";

/** A deep agent that writes and edits files, delegates, and makes calls beside each other that wait for a person. */
export function playedAgent(): Played {
  const { graph } = filingAgent(new ScriptedModel(turn));
  return {
    graph: graph as unknown as PlayedGraph, // its types know its state, ours do not
    durability: "sync",
    nodes: ["tools", "model_request"],
    canGo: false,
    input: (random) => ({ messages: [request(random)] }),
    resume: (random, asked) => ({ decisions: actionsOf(asked).map(() => decision(random)) }),
  };
}

function request(random: Random): BaseMessage {
  return new HumanMessage({
    id: `h${below(random, 1e6)}`,
    content: `${below(random, 1e6)} ${text(random)}`,
  });
}

/** Up to three rounds of calls for each request; what they are follows from it. */
function turn(messages: readonly BaseMessage[]): AIMessage {
  const start = messages.findLastIndex((message) => message.getType() === "human");
  const round = messages.slice(start).filter((message) => message.getType() === "ai").length;
  const random = seeded(Number.parseInt(messages[start]?.text ?? "", 10) || 0, round);
  const isInner = messages[0]?.text.startsWith("You write.") === true;
  if (round > below(random, 3)) return new AIMessage(`done ${text(random)}`);
  const calls = Array.from({ length: 1 + below(random, 3) }, (_, index) => ({
    // Which of two subagents is ahead of the other is nobody's promise, so there is one at a time.
    ...call(random, isInner || index > 0),
    id: `call_${start}_${round}_${index}`,
    type: "tool_call" as const,
  }));
  return new AIMessage({ content: text(random), tool_calls: calls });
}

function call(random: Random, isSimple: boolean): { name: string; args: Record<string, unknown> } {
  const file_path = pick(random, ["/a.md", "/b.md"]);
  switch (below(random, isSimple ? 6 : 7)) {
    case 0:
    case 1:
      return { name: "write_file", args: { file_path, content: `one\n${text(random)}` } };
    case 2:
      return {
        name: "edit_file",
        args: { file_path, old_string: "one", new_string: text(random) },
      };
    case 3:
      return { name: "read_file", args: { file_path } };
    case 4:
      return { name: "ls", args: { path: "/" } };
    case 5:
      return { name: "pay", args: { amount: below(random, 100) } };
    default:
      return {
        name: "task",
        args: { subagent_type: "clerk", description: `${below(random, 1e6)} write` },
      };
  }
}

function actionsOf(asked: unknown): readonly unknown[] {
  const { actionRequests } = (asked ?? {}) as { actionRequests?: readonly unknown[] };
  return actionRequests ?? [];
}

function decision(random: Random): object {
  switch (below(random, 3)) {
    case 0:
      return { type: "reject", message: text(random) };
    case 1:
      return { type: "edit", editedAction: { name: "pay", args: { amount: below(random, 9) } } };
    default:
      return { type: "approve" };
  }
}
