import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ThreadPlan, Turn } from "./thread-plan.ts";

/** What is wrong with the messages of a thread that is at its end. */
export function problemsOfHistory(
  { turns }: ThreadPlan,
  messages: readonly BaseMessage[],
): readonly string[] {
  const humans = messages.filter((message) => message.getType() === "human");
  const given = humans.map(({ id }) => id);
  const wanted = turns.map(({ messageId }) => messageId);
  if (JSON.stringify(given) !== JSON.stringify(wanted))
    return [`its messages are ${given.join(", ")}`];
  const starts = humans.map((message) => messages.indexOf(message));
  return [
    ...turns.flatMap((turn, index) =>
      problemsOfTurn(turn, messages.slice(starts[index], starts[index + 1])),
    ),
    ...problemsOfResults(messages),
  ];
}

/** Each turn went as it was planned, up to where the next message cut it off. */
function problemsOfTurn(
  { messageId, steps, isCut }: Turn,
  messages: readonly BaseMessage[],
): readonly string[] {
  const planned = [...steps.map((calls) => calls.length), 0];
  const said = messages.filter((message) => AIMessage.isInstance(message));
  const asked = said.map(({ tool_calls: calls = [] }) => calls.length);
  const most = isCut ? planned.slice(0, asked.length) : planned;
  return asked.length > 0 && JSON.stringify(asked) === JSON.stringify(most)
    ? []
    : [`after ${messageId} it called ${asked.join(", ")} tools, not ${planned.join(", ")}`];
}

/** Each call has one result. */
function problemsOfResults(messages: readonly BaseMessage[]): readonly string[] {
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  const calls = messages
    .filter((message) => AIMessage.isInstance(message))
    .flatMap(({ tool_calls: all = [] }) => all.map(({ id }) => id));
  const problems = calls.flatMap((id) => {
    const answers = results.filter(({ tool_call_id: answered }) => answered === id).length;
    return answers === 1 ? [] : [`${id} has ${answers} results`];
  });
  return results.length > calls.length
    ? [...problems, "there are results that nobody asked for"]
    : problems;
}
