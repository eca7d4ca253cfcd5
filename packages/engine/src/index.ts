export { firstBrokenEvent } from "./audit/chain.ts";
export type { AuditOptions } from "./audit/sealer.ts";
export type { Access } from "./access.ts";
export {
  type Apart,
  type Checkpoints,
  PartsMissing,
  type SavedTogether,
  type TaskWrites,
} from "./checkpoints/checkpoints.ts";
export type { CheckpointFormat, Pruned } from "./checkpoints/prune.ts";
export type { CheckpointFacts, KeepHistory } from "./checkpoints/what-stays.ts";
export { type Clock, systemClock } from "./clock.ts";
export type { Alarm, AlarmListener } from "./alarm.ts";
export type { RetryOptions } from "./due/back-off.ts";
export type { Consumer, Deliveries, Delivered } from "./due/deliveries.ts";
export type { Deadlines } from "./due/deadlines.ts";
export { type Engine, type EngineOptions, openEngine } from "./engine.ts";
export { newId } from "./ids.ts";
export type { Reviews } from "./reviews/reviews.ts";
export {
  type EventDraft,
  type RunAppend,
  type Runs,
  type StartResult,
  type StartRun,
  requireThread,
} from "./due/runs.ts";
export { databaseName } from "./storage/database-name.ts";
export type {
  AuditEvent,
  CheckpointKey,
  CheckpointQuery,
  Delivery,
  DeliveryId,
  LoadedCheckpoint,
  Run,
  RunEvent,
  RunStatus,
  Storage,
  StoredCheckpoint,
  StoredPart,
  StoredWrite,
  Thread,
} from "./storage/storage.ts";
export type { Health } from "./storage/unwell.ts";
