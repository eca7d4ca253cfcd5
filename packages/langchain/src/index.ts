export type { DecisionType } from "@holdpoint/core";
export { checkpointer, HoldpointSaver } from "./checkpoints/checkpointer.ts";
export { type PruneOptions, type PruneReport, pruneThreads } from "./checkpoints/prune-threads.ts";
export type { CheckpointerKind, ExplainableAgent, ToolFacts } from "./explain/agent-facts.ts";
export { type ExplainedCall, explainGate, type ExplainOptions } from "./explain/explain-gate.ts";
export type { Gated, GatedFate, GateExplanation, Ungated } from "./explain/explanation.ts";
export { type HeldAgent, type HoldAgentParams, holdAgent } from "./hold-agent.ts";
export { type ImportOptions, type ImportReport, importThreads } from "./import/import-threads.ts";
export { humanInTheLoopMiddleware } from "./gate/human-in-the-loop.ts";
export type {
  DescriptionFactory,
  InterruptOn,
  InterruptOnConfig,
  WhenPredicate,
  WhenRequest,
} from "./gate/interrupt-on.ts";
export { recordedVote } from "./pause/pause.ts";
export { isToolApprovalInterrupt, type ToolApprovalInterrupt } from "./pause/interrupt-payload.ts";
export type {
  Action,
  ActionRequest,
  ApproveDecision,
  Decision,
  EditDecision,
  HITLRequest,
  HITLResponse,
  HumanInTheLoopMiddleware,
  RejectDecision,
  RespondDecision,
  ReviewConfig,
} from "./gate/langchain-types.ts";
export type {
  HumanInTheLoopOptions,
  HumanInTheLoopOptions as HumanInTheLoopMiddlewareConfig,
} from "./gate/options.ts";
export {
  idempotent,
  type Probe,
  probeable,
  type ProbeRequest,
  type ProbeResult,
} from "./tool/declared-tools.ts";
export { idempotencyKeyOf } from "./tool/idempotency-key.ts";
export type { InvokableTool } from "./tool/permitted-tool.ts";
export type { HostedAgent } from "./run/hosted-agent.ts";
export { type AgentEvent, type AgentRun, type AgentRunEnd, runAgent } from "./run/run-agent.ts";
export { type OpenInterrupt, readThreadState, type ThreadState } from "./run/thread-state.ts";
export { refusalIn } from "./run/refusal-in.ts";
export { type RepairedThread, repairThread } from "./run/repair-thread.ts";
export { type Answers, type ResumableAgent, resumeThread } from "./run/resume-thread.ts";
export type { ThreadConfig } from "./run/check-resume.ts";
