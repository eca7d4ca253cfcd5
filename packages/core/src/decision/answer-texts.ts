import type { Rejection } from "../contract/decision.ts";
import type { Outcome } from "../contract/review-view.ts";

/** One sentence from the parts of a rejection: no, because …; instead …; within these bounds …. */
export function rejectionReason(
  outcome: Extract<Outcome, { type: "rejected" }>,
): string | undefined {
  const message = outcome.message?.trim();
  if (message !== undefined && message !== "") return message;
  return outcome.rejection === undefined ? undefined : joinParts(outcome.rejection);
}

function joinParts({ because, instead, bounds }: Rejection): string | undefined {
  const parts = [
    because && `No, because ${withoutStop(because)}.`,
    instead && `Instead: ${withoutStop(instead)}.`,
    bounds && `Within these bounds: ${withoutStop(bounds)}.`,
  ].filter((part): part is string => Boolean(part));
  return parts.length === 0 ? undefined : parts.join(" ");
}

function withoutStop(text: string): string {
  return text.trim().replace(/[.。]$/u, "");
}

function withStop(text: string): string {
  return /[.!?。！？]$/u.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}

/** What the model reads when a call was rejected: whether to try again depends on a reason being given. */
export function rejectedText(tool: string, reason: string | undefined): string {
  return reason === undefined
    ? `The reviewer rejected this call to \`${tool}\`. The tool was not executed. Do not try this call again unless the user asks for it.`
    : `The reviewer rejected this call to \`${tool}\`: ${withStop(reason)} The tool was not executed. Adjust accordingly before trying again.`;
}

/** What the model reads when nobody decided a call before its deadline. */
export function expiredText(tool: string): string {
  return `Nobody decided this call to \`${tool}\` before its deadline passed, so it was rejected. The tool was not executed. Do not try this call again unless the user asks for it.`;
}

/** What the model reads when a call that may have run already is not run again. */
export function leftUnknownText(tool: string, reason: string | undefined): string {
  const left = `This call to \`${tool}\` was started once and nobody knows whether it finished; the reviewer decided not to run it again`;
  return `${left}${reason === undefined ? "." : `: ${withStop(reason)}`} Do not assume that it ran, or that it did not.`;
}

/** What the model reads when policy denied a call. */
export function deniedText(tool: string, reason: string): string {
  return `Policy does not allow this call to \`${tool}\`: ${withStop(reason)} The tool was not executed.`;
}

/** What the model reads when a call was stopped at the last moment. */
export function refusedText(tool: string, why: string): string {
  return `This call to \`${tool}\` was stopped: ${withStop(why)} The tool was not executed.`;
}

/** What the model reads when a call was rejected so often that nobody is asked again. */
export function repeatedText(tool: string, times: number): string {
  return `This call to \`${tool}\` was rejected ${times} times, so no person is asked about it again. The tool was not executed. Do not repeat it; tell the user what you could not do.`;
}

/** What a person reads when the model goes on repeating such a call. */
export function loopEndedText(tool: string): string {
  return `I stopped: the same call to \`${tool}\` was rejected again and again. Tell me how to go on without it.`;
}

/** What the model reads when a person sent a new message instead of deciding. */
export function withdrawnText(tool: string): string {
  return `This call to \`${tool}\` was withdrawn because the user sent a new message before anybody decided it. The tool was not executed.`;
}

/** What stands before the result of a call that a person changed. */
export const editNoticeText =
  "Note: a person changed this tool call before it ran; the call in your history shows what ran.";
