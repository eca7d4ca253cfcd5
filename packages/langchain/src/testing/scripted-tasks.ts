import { AIMessage } from "@langchain/core/messages";
import type { Script } from "./scripted-model.ts";

/** A call that a script makes. */
export type PlannedCall = { readonly name: string; readonly args: Record<string, unknown> };

/**
 * A script for an agent and its subagents alike: it answers each request, of a person or of an outer agent,
 * with the calls planned for its text (the last line of it: a fork gets a preamble), and their results with
 * "done". Its calls are named by request and place.
 */
export function callsFor(plan: Readonly<Record<string, readonly PlannedCall[]>>): Script {
  return (messages) => {
    const last = messages.at(-1);
    const request = last?.text.split("\n").at(-1) ?? "";
    const calls = last?.getType() === "human" ? plan[request] : undefined;
    if (calls === undefined) return new AIMessage("done");
    return new AIMessage({
      content: "",
      tool_calls: calls.map((call, index) => ({
        ...call,
        id: `${request}-${index}`,
        type: "tool_call",
      })),
    });
  };
}

/** A call that hands a request to a subagent. */
export function delegate(subagent: string, request: string): PlannedCall {
  return { name: "task", args: { description: request, subagent_type: subagent } };
}
