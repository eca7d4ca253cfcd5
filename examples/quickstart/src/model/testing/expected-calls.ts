import type { ToolRequest } from "../tool-request.ts";

/** A call a request should become; arguments that are left out may be anything. */
export type ExpectedCall = Pick<ToolRequest, "name" | "args">;

/** Expects `read_file`. */
export function read(path: string): ExpectedCall {
  return { name: "read_file", args: { path } };
}

/** Expects `delete_file`. */
export function remove(path: string): ExpectedCall {
  return { name: "delete_file", args: { path } };
}

/** Expects `archive_file`. */
export function archive(path: string): ExpectedCall {
  return { name: "archive_file", args: { path } };
}

/** Expects `write_file`. */
export function write(path: string, content?: string): ExpectedCall {
  return { name: "write_file", args: content === undefined ? { path } : { path, content } };
}

/** Expects `send_email`. */
export function mail(args: ExpectedCall["args"]): ExpectedCall {
  return { name: "send_email", args };
}

/** Expects `issue_refund`. */
export function refund(args: ExpectedCall["args"]): ExpectedCall {
  return { name: "issue_refund", args };
}

/** Expects `ask_user`. */
export function ask(question?: string): ExpectedCall {
  return { name: "ask_user", args: question === undefined ? {} : { question } };
}
