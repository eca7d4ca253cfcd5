import type { RunId } from "@holdpoint/core";
import type { DeliveryId } from "./storage/storage.ts";

/** Something stopped being tried again by itself: a person has to look at it. */
export type Alarm =
  | {
      readonly type: "delivery.stuck";
      readonly deliveryId: DeliveryId;
      readonly topic: string;
      readonly key: string;
      readonly attempts: number;
      readonly error: string;
    }
  | {
      readonly type: "run.stuck";
      readonly runId: RunId;
      readonly threadId: string;
      readonly attempts: number;
      readonly error: string;
    }
  /** The database still saves everything, and will not for ever if nobody does anything. */
  | { readonly type: "database.strained"; readonly error: string }
  /** No tool starts any more. */
  | { readonly type: "audit.broken"; readonly error: string };

/** Hears alarms, each once, after what it tells of is on disk; that stands in the database whoever hears it. */
export type AlarmListener = (alarm: Alarm) => void;

/** Raises alarms with the listener; without one, or when it throws, as a warning of the process. */
export function createAlarm(listener: AlarmListener | undefined): AlarmListener {
  return (alarm) => {
    try {
      if (listener !== undefined) return listener(alarm);
    } catch (error) {
      process.emitWarning(`An alarm was not taken: ${String(error)}`, "Holdpoint");
    }
    process.emitWarning(textOf(alarm), "Holdpoint");
  };
}

function textOf(alarm: Alarm): string {
  switch (alarm.type) {
    case "delivery.stuck":
      return `Delivery ${alarm.deliveryId} (${alarm.topic}, ${alarm.key}) is stuck after ${alarm.attempts} attempts: ${alarm.error}. Mend the consumer, then engine.deliveries.redrive(id).`;
    case "run.stuck":
      return `Run ${alarm.runId} of thread ${alarm.threadId} was given up after ${alarm.attempts} attempts: ${alarm.error}`;
    case "database.strained":
      return alarm.error;
    case "audit.broken":
      return `The audit is broken: ${alarm.error}. No tool starts any more; keep the database as evidence and run "holdpoint audit verify".`;
    default:
      return alarm satisfies never;
  }
}
