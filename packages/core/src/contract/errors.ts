import type { JsonObject } from "../plain-json.ts";

/** Every way Holdpoint refuses or fails: code → HTTP status. The anchor in `docs/errors.md` is the code. */
export const errorTable = {
  body_not_json: 400,
  body_too_large: 413,
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  agent_not_found: 404,
  thread_not_found: 404,
  review_not_found: 404,
  action_not_found: 404,
  already_decided: 409,
  review_closed: 409,
  deadline_passed: 409,
  thread_waiting: 409,
  thread_busy: 409,
  idempotency_key_used: 409,
  decision_invalid: 422,
  decision_count: 422,
  decision_not_allowed: 422,
  edit_refused: 422,
  permit_refused: 409,
  config_invalid: 500,
  agent_failed_to_load: 500,
  run_failed: 500,
  database_refused: 500,
  database_unwell: 503,
  port_taken: 500,
  internal: 500,
} as const satisfies Record<string, number>;

/** A code of the error table. */
export type ErrorCode = keyof typeof errorTable;

/** A refusal as data: what happened, to which id, and what to do next. Carries no tool arguments. */
export type Refusal = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: JsonObject;
};

/** The one error class. Recognise it by `code`, never by `instanceof`. */
export class HoldpointError extends Error {
  readonly code: ErrorCode;
  readonly details: JsonObject;

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly details?: JsonObject } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "HoldpointError";
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** The refusal in an unknown error, or `undefined` when it is not one of ours. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (typeof error !== "object" || error === null || !("code" in error) || !("message" in error)) {
    return undefined;
  }
  const { code, message } = error;
  if (typeof code !== "string" || typeof message !== "string" || !isErrorCode(code))
    return undefined;
  const details = "details" in error ? (error.details as JsonObject) : {}; // ours alone carry such codes
  return { code, message, details };
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}
