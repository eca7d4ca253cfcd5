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
