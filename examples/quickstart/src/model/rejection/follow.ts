import { isSameCall, textArgument, type ToolRequest } from "../tool-request.ts";
import { understand } from "../understand.ts";
import { type Advice, adviceIn, isRuledOut } from "./advice.ts";
import { otherContent } from "./other-content.ts";
import { otherFile } from "./other-file.ts";
import { otherMail } from "./other-mail.ts";
import { otherRefund } from "./other-refund.ts";

type Call = Pick<ToolRequest, "name" | "args">;

const ARCHIVE = /\barchiv(?:e|ing)\b|归档|存档/giu;
const DELETE = /\b(?:delet|remov)(?:e|ing)\b|删/giu;
const NOT_DELETE =
  /\b(?:don['’]?t|do not|never|not|instead of|rather than|without)\s+(?:delet|remov)|(?:不要|不能|不可以?|别|勿|不应该?|不许)\s*(?:直接)?删/iu;

/**
 * The call to make in place of a rejected one, or undefined when the reason does not tell what to
 * do differently. Never the same call.
 */
export function followRejection(call: Call, reason: string): ToolRequest | undefined {
  const advice = adviceIn(reason);
  const adjusted = adjustedCall(call, advice);
  if (adjusted && isComplete(adjusted) && !isSameCall(adjusted, call)) return adjusted;
  const [other] = understand(reason.replace(/^.*(?:\binstead|改为|改成)\s*[:：]\s*/isu, ""));
  return other && !other.awaits && !other.doubt && !isSameCall(other, call) ? other : undefined;
}

function adjustedCall({ name, args }: Call, advice: Advice): Call | undefined {
  const path = textArgument(args, "path");
  const otherPath = otherFile(advice, path);
  switch (name) {
    case "write_file": {
      const content = otherContent(advice, textArgument(args, "content"));
      return { name, args: { ...args, path: otherPath ?? path, content } };
    }
    case "delete_file":
      if (otherPath?.startsWith("archive/")) return { name: "archive_file", args: { path } };
      if (otherPath !== undefined && asks(advice, DELETE))
        return { name, args: { path: otherPath } };
      if (asks(advice, ARCHIVE) || NOT_DELETE.test(advice.text)) {
        return { name: "archive_file", args: { path: otherPath ?? path } };
      }
      return otherPath === undefined ? undefined : { name, args: { path: otherPath } };
    case "archive_file":
      if (asks(advice, DELETE)) return { name: "delete_file", args: { path: otherPath ?? path } };
      return otherPath === undefined ? undefined : { name, args: { path: otherPath } };
    case "read_file":
      return otherPath === undefined ? undefined : { name, args: { path: otherPath } };
    case "issue_refund":
      return { name, args: otherRefund(advice, args) };
    case "send_email":
      return { name, args: otherMail(advice, args) };
    default:
      return undefined;
  }
}

function asks(advice: Advice, action: RegExp): boolean {
  return [...advice.text.matchAll(action)].some(({ index }) => !isRuledOut(advice, index));
}

function isComplete({ args }: Call): boolean {
  return !Array.isArray(args["to"]) || args["to"].length > 0;
}
