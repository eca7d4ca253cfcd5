import { isCommand } from "@langchain/langgraph";
import { checkResume, type ThreadConfig } from "./check-resume.ts";
import type { HostedAgent } from "./hosted-agent.ts";

/** The two ways into an agent that can carry a resume. */
type Runnable = HostedAgent & {
  invoke: (input: never, config?: never) => Promise<unknown>;
  stream: (input: never, config?: never) => Promise<unknown>;
};

/** The same agent, whose own `invoke` and `stream` refuse a resume that cannot reach what it is meant for. */
export function refusingResumes<Agent extends Runnable>(agent: Agent): Agent {
  const invoke = agent.invoke.bind(agent);
  const stream = agent.stream.bind(agent);
  const check = async (input: unknown, config: ThreadConfig | undefined): Promise<void> => {
    if (isCommand(input) && input.resume !== undefined)
      await checkResume(agent, config ?? {}, input.resume);
  };
  return Object.assign(agent, {
    invoke: async (input: never, config?: never) => {
      await check(input, config);
      return invoke(input, config);
    },
    stream: async (input: never, config?: never) => {
      await check(input, config);
      return stream(input, config);
    },
  });
}
