import { Command } from "@langchain/langgraph";
import { checkResume, type ThreadConfig } from "./check-resume.ts";
import type { HostedAgent } from "./hosted-agent.ts";

/** An agent or a graph that can be invoked with a command. */
export type ResumableAgent<State> = HostedAgent & {
  invoke(input: never, config: never): Promise<State>;
};

/** What answers each review that waits: `{ decisions: [...] }` or, in `per_call` mode, one decision, by interrupt id. */
export type Answers = Readonly<Record<string, unknown>>;

/**
 * Resumes a paused thread with answers by interrupt id, and returns its state. Where LangGraph would
 * say nothing, it throws: `thread_not_found`, `review_closed` (withdrawn), `already_decided` (by somebody
 * else, otherwise) or `decision_invalid` (an id that names nothing). Nothing changes then. An answer
 * that repeats what is recorded is no error; the tool does not run again.
 */
export async function resumeThread<State>(
  agent: ResumableAgent<State>,
  config: ThreadConfig,
  answers: Answers,
): Promise<State> {
  await checkResume(agent, config, answers);
  const command = new Command({ resume: answers });
  return agent.invoke(command as never, config as never); // every agent takes commands and a config
}
