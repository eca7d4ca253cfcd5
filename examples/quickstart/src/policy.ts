import { posix } from "node:path";

/** What a reviewer may do with a held call, and when a call of the tool is held at all. */
export type ToolPolicy = {
  allowedDecisions: ("approve" | "edit" | "reject" | "respond")[];
  description?: string;
  /** Holds the call when true; a tool without it is held every time. */
  when?: (request: { toolCall: { name: string; args: Record<string, unknown> } }) => boolean;
};

/**
 * The quickstart's policy, in the shape of `humanInTheLoopMiddleware`'s option of the same name.
 * Each `when` holds the call unless it can tell that the call is harmless.
 */
export const interruptOn: Record<
  | "read_file"
  | "write_file"
  | "delete_file"
  | "archive_file"
  | "send_email"
  | "issue_refund"
  | "ask_user",
  boolean | ToolPolicy
> = {
  read_file: false,
  write_file: {
    allowedDecisions: ["approve", "edit", "reject"],
    description: "Writes a file outside drafts/. What the file held before is lost.",
    when: ({ toolCall }) => !isDraft(toolCall.args["path"]),
  },
  delete_file: {
    allowedDecisions: ["approve", "reject"],
    description: "Deletes a file. This cannot be undone.",
  },
  archive_file: {
    allowedDecisions: ["approve", "edit", "reject"],
    description: "Moves a file to archive/.",
  },
  send_email: {
    allowedDecisions: ["approve", "reject"],
    description: "Sends a mail. It cannot be called back.",
  },
  issue_refund: {
    allowedDecisions: ["approve", "edit", "reject"],
    description: "Pays back more than 1000.",
    when: ({ toolCall }) => !isSmallAmount(toolCall.args["amount"]),
  },
  ask_user: {
    allowedDecisions: ["respond"],
    description: "The assistant has a question.",
  },
};

function isDraft(path: unknown): boolean {
  // A backslash separates folders on Windows, where `drafts\..\x` would leave drafts/.
  if (typeof path !== "string" || path.includes("\\")) return false;
  const normalised = posix.normalize(path);
  return normalised.startsWith("drafts/") && normalised !== "drafts/";
}

function isSmallAmount(amount: unknown): boolean {
  return typeof amount === "number" && amount > 0 && amount <= 1000;
}
