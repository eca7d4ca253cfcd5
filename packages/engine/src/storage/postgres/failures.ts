import type { HoldpointError } from "@holdpoint/core";
import { notSaved, perhapsSaved } from "../unwell.ts";

/** What a failed attempt says about the next one. */
export type Failure = "contention" | "locked" | "duplicate" | "connection" | "stale" | "other";

/** Somebody else was in the way: serialization failure, deadlock. */
const contention = new Set(["40001", "40P01"]);

/** A lock was not gained in time. */
const lockTimeout = "55P03";

/** The server is going, coming or out of places; so is all of class 08. */
const unreachable = new Set(["57P01", "57P02", "57P03", "57P05", "53300"]);

/** The server does not know a prepared statement, or knows another under its name: a pooler is in between. */
const misnamed = new Set(["26000", "42P05"]);

/** A table got another column, as by a newer Holdpoint, after a statement was prepared. */
const outdatedPlan = "cached plan must not change result type";

/** What `pg` says of a connection that is gone; such errors have no code. */
const brokenConnection = /^Connection terminated|connection error|not queryable|^timeout/;

/** Sorts an error of a statement. A row that is there already may be one that a rival has just made. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return "other";
  const code = "code" in error ? String(error.code) : "";
  if (!("severity" in error)) return isTransport(error) ? "connection" : "other";
  if (contention.has(code)) return "contention";
  if (code === lockTimeout) return "locked";
  if (code === "23505") return "duplicate";
  if (isMisnamed(error) || error.message === outdatedPlan) return "stale";
  return unreachable.has(code) || code.startsWith("08") ? "connection" : "other";
}

/** True when a prepared statement was not found where it was prepared: its connection is not one's own. */
export function isMisnamed(error: unknown): boolean {
  return error instanceof Error && "code" in error && misnamed.has(String(error.code));
}

/** Only the server's own errors have a severity; a socket's name a system call, of one or all addresses. */
function isTransport(error: Error): boolean {
  return (
    "syscall" in error || error instanceof AggregateError || brokenConnection.test(error.message)
  );
}

/** SQLSTATE transaction_resolution_unknown. */
const unknownResolution = "08007";

/** The server has a commit at most itself: it is like a commit that nobody answered. */
export function unconfirmed(): Error {
  const error = new Error("The COMMIT was not confirmed.");
  return Object.assign(error, { severity: "WARNING", code: unknownResolution });
}

/** Nobody can know whether a COMMIT took place, or will be there when the server is lost. */
export function unknownCommit(cause: unknown): HoldpointError {
  const isUnconfirmed =
    cause instanceof Error && "code" in cause && cause.code === unknownResolution;
  return perhapsSaved(
    isUnconfirmed
      ? "its COMMIT was not confirmed, as when a synchronous copy is gone"
      : "the connection broke",
    cause,
  );
}

/** The database stayed away for longer than a transaction waits. */
export function unreachableNow(cause: unknown): HoldpointError {
  return notSaved("it cannot be reached", cause);
}

/** Whoever holds the lock does so for longer than a transaction waits. */
export function lockedNow(cause: unknown): HoldpointError {
  return notSaved("somebody holds a lock in it that does not end", cause);
}

/** What `pg` says of a statement that was not answered in time; it has cut the connection then. */
const unanswered = "Query read timeout";

/** True when the server did not answer in time. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === unanswered;
}

/** A server that has no room, meets errors of its disk or is read-only says so; any other error is as it was. */
export function unsaved(error: unknown): unknown {
  if (isUnanswered(error)) return notSaved("it does not answer", error);
  const code = error instanceof Error && "severity" in error && "code" in error ? error.code : "";
  const reason = unwellCodes.find(([start]) => String(code).startsWith(start))?.[1];
  return reason === undefined ? error : notSaved(reason, error);
}

/** The starts of SQLSTATEs: 53 is insufficient resources, 58 a failure of the system, XX001 and XX002 damage. */
const unwellCodes = [
  ["53100", "its disk is full"],
  ["53", "its server is short of resources"],
  ["58", "its server failed"],
  ["XX00", "its server found damage or failed"],
  ["25006", "it is read-only"],
] as const;
