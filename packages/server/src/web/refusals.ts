import type { Context } from "hono";
import { type ErrorCode, errorTable, type Refusal, refusalOf } from "@holdpoint/core";

type Status = 400 | 401 | 404 | 409 | 413 | 422 | 500 | 502 | 503;

/** Answers with a refusal in the one form all routes use: `{ error: { code, message, details } }`. */
export function refuse(context: Context, refusal: Refusal): Response {
  const { code, message, details = {} } = refusal;
  return context.json({ error: { code, message, details } }, statusOf(code));
}

/** Answers for an error that escaped a route: a refusal of ours as it is, anything else without its inside. */
export function refuseError(context: Context, error: unknown): Response {
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refuse(context, refusal);
  console.error(error);
  return refuse(context, {
    code: "internal",
    message:
      "The server could not finish this request; nothing was changed. Try again, and look at the server's output if it stays.",
  });
}

function statusOf(code: ErrorCode): Status {
  return errorTable[code];
}
