import type { Conversation, PastCall } from "./conversation.ts";
import { subjectFor } from "./intents/mail-fields.ts";
import { followRejection } from "./rejection/follow.ts";
import { type Doubt, isSameCall, type ToolRequest } from "./tool-request.ts";
import { bringsText, understand } from "./understand.ts";

/**
 * What the model does next: makes calls (asked for, or in place of rejected ones), asks what was meant,
 * or reports.
 */
export type Step =
  | { readonly type: "start"; readonly requests: readonly ToolRequest[] }
  | { readonly type: "adjust"; readonly requests: readonly ToolRequest[] }
  | { readonly type: "clarify"; readonly doubts: readonly Doubt[] }
  | { readonly type: "report" };

/**
 * The next step of a conversation. The model keeps nothing between calls, so which round of calls
 * was a start and which an adjustment is found by going through the rounds again. An adjusted call
 * that is rejected is not adjusted once more: only rounds that were started are followed up.
 */
export function nextStep({ request, rounds }: Conversation): Step {
  const requests = understand(request);
  const doubts = requests.flatMap(({ doubt }) => doubt ?? []);
  // Nothing of a message is done on a guess, nor half of it while the rest is asked back.
  if (doubts.length > 0) return { type: "clarify", doubts };
  const stages = stagesOf(requests);
  let started = 0;
  let step = startStage(stages, started, []);
  for (let done = 1; done <= rounds.length; done += 1) {
    const past = rounds.slice(0, done);
    const adjusted = step.type === "start" ? adjustments(past) : [];
    if (step.type === "start") started += 1;
    step =
      adjusted.length > 0
        ? { type: "adjust", requests: adjusted }
        : startStage(stages, started, past);
  }
  return step;
}

/**
 * The calls of one message run side by side. A request that needs what another brings, or reads what
 * another writes, opens a stage of its own, which becomes the next message.
 */
function stagesOf(requests: readonly ToolRequest[]): ToolRequest[][] {
  const stages: ToolRequest[][] = [];
  for (const request of requests) {
    const stage = stages.at(-1);
    if (stage && !waitsFor(request, stage)) stage.push(request);
    else stages.push([request]);
  }
  return stages;
}

function waitsFor(request: ToolRequest, stage: readonly ToolRequest[]): boolean {
  if (request.awaits) return !stage.at(-1)?.awaits;
  return stage.some(({ name, args }) => {
    return (
      name === "write_file" && request.name === "read_file" && args["path"] === request.args["path"]
    );
  });
}

function startStage(
  stages: readonly ToolRequest[][],
  started: number,
  past: Conversation["rounds"],
): Step {
  const requests = (stages[started] ?? []).flatMap((request) => filled(request, past) ?? []);
  return requests.length > 0 ? { type: "start", requests } : { type: "report" };
}

/** A request with the text that an earlier call brought; none if that call brought nothing. */
function filled(request: ToolRequest, past: Conversation["rounds"]): ToolRequest | undefined {
  const { name, args, awaits } = request;
  if (!awaits) return request;
  const source = past.flat().findLast((call) => bringsText(call, awaits.source));
  if (source?.result?.type !== "done") return undefined;
  const { text } = source.result;
  const subject = args["subject"] === "" ? { subject: subjectFor(text) } : {};
  return { name, args: { ...args, ...subject, [awaits.argument]: text } };
}

function adjustments(past: Conversation["rounds"]): ToolRequest[] {
  return (past.at(-1) ?? []).flatMap((call) => adjusted(call, past) ?? []);
}

function adjusted(call: PastCall, past: Conversation["rounds"]): ToolRequest | undefined {
  if (call.result?.type !== "rejected" || call.result.reason === undefined) return undefined;
  const other = followRejection(call, call.result.reason);
  return other && !past.flat().some((made) => isSameCall(made, other)) ? other : undefined;
}
