import { posix } from "node:path";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { languageOf } from "./model/language.ts";

type ToolCall = { readonly name: string; readonly args: Record<string, unknown> };

/** What a reviewer may do with a held call, and when a call of the tool is held at all. */
export type ToolPolicy = {
  allowedDecisions: ("approve" | "edit" | "reject" | "respond")[];
  /** Why a person is asked, in the language of the conversation. */
  description: (toolCall: ToolCall, state: unknown) => string;
  /** Holds the call when true; a tool without it is held every time. */
  when?: (request: { toolCall: ToolCall }) => boolean;
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
    description: inTheirLanguage({
      en: "Writes a file outside drafts/. What the file held before is lost.",
      "zh-CN": "会写入 drafts/ 以外的文件；如果文件已存在，原有内容会被覆盖。",
    }),
    when: ({ toolCall }) => !isDraft(toolCall.args["path"]),
  },
  delete_file: {
    allowedDecisions: ["approve", "reject"],
    description: inTheirLanguage({
      en: "Deletes a file. This cannot be undone.",
      "zh-CN": "会删除文件，删除后无法恢复。",
    }),
  },
  archive_file: {
    allowedDecisions: ["approve", "edit", "reject"],
    description: inTheirLanguage({
      en: "Moves a file out of its folder into archive/.",
      "zh-CN": "会把文件从原来的位置移到 archive/。",
    }),
  },
  send_email: {
    allowedDecisions: ["approve", "reject"],
    description: inTheirLanguage({
      en: "Sends a mail. It cannot be called back.",
      "zh-CN": "会发出邮件，发出后无法撤回。",
    }),
  },
  issue_refund: {
    allowedDecisions: ["approve", "edit", "reject"],
    description: inTheirLanguage({
      en: "Pays back more than 1000.",
      "zh-CN": "退款超过 1000，需要人工确认。",
    }),
    when: ({ toolCall }) => !isSmallAmount(toolCall.args["amount"]),
  },
  ask_user: {
    allowedDecisions: ["respond"],
    description: inTheirLanguage({
      en: "The assistant has a question.",
      "zh-CN": "助手有一个问题要问你。",
    }),
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

/** A description in the language of the last thing the person said. */
function inTheirLanguage(texts: { readonly en: string; readonly "zh-CN": string }) {
  return (_toolCall: ToolCall, state: unknown): string => {
    const request = messagesIn(state).findLast((message) => HumanMessage.isInstance(message));
    return texts[languageOf(request?.text ?? "")];
  };
}

function messagesIn(state: unknown): readonly BaseMessage[] {
  const messages =
    typeof state === "object" && state !== null && "messages" in state ? state.messages : undefined;
  return Array.isArray(messages) ? (messages as BaseMessage[]) : []; // the agent's own state
}
