import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ThreadPlan } from "./thread-plan.ts";

/** What is wrong with the messages of a thread that is at its end. */
export function problemsOfHistory(
  { turns }: ThreadPlan,
  messages: readonly BaseMessage[],
): readonly string[] {
  const problems: string[] = [];
  const humans = messages.flatMap((message) => (message.getType() === "human" ? message.id : []));
  const wanted = turns.map(({ messageId }) => messageId);
  if (JSON.stringify(humans) !== JSON.stringify(wanted))
    problems.push(`its messages are ${humans.join(", ")}`);
  const said = messages.filter((message) => AIMessage.isInstance(message));
  const planned = turns.flatMap(({ steps }) => [...steps.map((calls) => calls.length), 0]);
  const asked = said.map(({ tool_calls: calls = [] }) => calls.length);
  if (JSON.stringify(asked) !== JSON.stringify(planned))
    problems.push(`it called ${asked.join(", ")} tools, step by step, not ${planned.join(", ")}`);
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  const calls = said.flatMap(({ tool_calls: all = [] }) => all.map(({ id }) => id));
  for (const id of calls) {
    const answers = results.filter(({ tool_call_id: answered }) => answered === id).length;
    if (answers !== 1) problems.push(`${id} has ${answers} results`);
  }
  if (results.length > calls.length) problems.push("there are results that nobody asked for");
  return problems;
}
