export { checkpointer, HoldpointSaver } from "./checkpointer.ts";
export { type HeldAgent, type HoldAgentParams, holdAgent } from "./hold-agent.ts";
export { humanInTheLoopMiddleware } from "./human-in-the-loop.ts";
export type {
  DescribeCall,
  HumanInTheLoopOptions,
  InterruptOn,
  InterruptOnConfig,
  WhenRequest,
} from "./options.ts";
export type { InvokableTool } from "./permitted-tool.ts";
export type { HostedAgent } from "./hosted-agent.ts";
export { type AgentEvent, type AgentRun, type AgentRunEnd, runAgent } from "./run-agent.ts";
export { type OpenInterrupt, readThreadState, type ThreadState } from "./thread-state.ts";
