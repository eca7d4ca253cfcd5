export type { AgentSummary, LocalText } from "./agent-summary.ts";
export { type Client, type ClientOptions, createClient, type ReviewsQuery } from "./client.ts";
export { problemWithEdit } from "./problem-with-edit.ts";
export type { Failure, Refused, Reply, SubmitResult, Unreachable } from "./reply.ts";
export { createReviewSession, type ReviewSession, type Submit } from "./review-session.ts";
export type { DraftStorage, SessionDraft } from "./session-draft.ts";
export {
  type ActionProgress,
  type Conflict,
  decisionsToSend,
  progressOf,
  type ReviewSessionState,
  type SessionPhase,
} from "./session-state.ts";
export { createStore, type Store } from "./store.ts";
