import { HoldpointError, refusalOf } from "@holdpoint/core";

/**
 * Whether changes can be saved, as far as is known; `why` is a sentence for people, and so is the `warning` of
 * what will become trouble if nobody does anything.
 */
export type Health =
  | { readonly status: "well"; readonly warning?: string }
  | { readonly status: "unwell"; readonly why: string };

/** What whoever asks for the health is told. */
export function unwellNow(reason: string): string {
  return `The database cannot save anything now (${reason}); it goes on by itself once it can.`;
}

/** Why the database is unwell, when that is what the error says. */
export function reasonIn(error: unknown): string | undefined {
  const refusal = refusalOf(error);
  const reason = refusal?.code === "database_unwell" ? refusal.details?.["reason"] : undefined;
  return typeof reason === "string" ? reason : undefined;
}

/** True when the change may or may not have been saved. */
export function isPerhapsSaved(error: unknown): boolean {
  return refusalOf(error)?.details?.["saved"] === "unknown";
}

/** The database could not save: nothing of the change is in it. */
export function notSaved(reason: string, cause: unknown): HoldpointError {
  return new HoldpointError(
    "database_unwell",
    `The database cannot save anything now (${reason}), so nothing was changed; it goes on by itself once it can, so try again then.`,
    { cause, details: { saved: "no", reason } },
  );
}

/** The database failed while it made a change durable: nobody can know whether it did. */
export function perhapsSaved(reason: string, cause: unknown): HoldpointError {
  return new HoldpointError(
    "database_unwell",
    `The database failed (${reason}) while a change was being committed, so it may or may not have been saved; read the current state before you send it again.`,
    { cause, details: { saved: "unknown", reason } },
  );
}

/** The database could not be read. */
export function notRead(reason: string, cause: unknown): HoldpointError {
  return new HoldpointError(
    "database_unwell",
    `The database cannot be read now (${reason}); try again once it can.`,
    { cause, details: { saved: "no" } },
  );
}
