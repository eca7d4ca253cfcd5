import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { AIMessage } from "@langchain/core/messages";
import {
  type Action,
  canonicalJson,
  digestCall,
  isJsonObject,
  type JsonObject,
  outcomeSchema,
  recordedDecisionSchema,
  type Review,
} from "@holdpoint/core";
import { z } from "zod";
import { copyOf } from "../gate/ai-message.ts";

/**
 * Outcomes that travel from the node where a turn was decided to the tools, in the turn's own message, for
 * a process that has no record of them. Each is sealed (HMAC-SHA-256) together with its thread, message,
 * tool call, name and arguments, so that it is worth nothing anywhere else. v1.
 */
const sealedSchema = z.object({
  toolCallId: z.string(),
  actionId: z.templateLiteral(["act_", z.string().min(1)]),
  reviewId: z.templateLiteral(["rev_", z.string().min(1)]),
  outcome: outcomeSchema,
  recorded: recordedDecisionSchema,
  seal: z.string(),
});
const noteSchema = z.object({ sealed: z.array(sealedSchema) });

type Sealed = z.infer<typeof sealedSchema>;

const processSecret = randomBytes(32).toString("base64url");

/** The key that outcomes are sealed with: the option's, the environment's, or one that ends with this process. */
export function sealingSecret(secret: string | undefined): string {
  return secret ?? process.env["HOLDPOINT_SECRET"] ?? processSecret;
}

/** The turn's message with the outcomes of a settled review sealed into it. */
export function withSealedOutcomes(message: AIMessage, review: Review, secret: string): AIMessage {
  const sealed = review.actions.flatMap((action): Sealed[] => {
    if (action.state.status !== "decided") return [];
    const { outcome, recorded } = action.state;
    const { toolCallId, id: actionId } = action;
    const open = { toolCallId, actionId, reviewId: review.id, outcome, recorded };
    return [{ ...open, seal: sealOf(review.threadId, review.turnId, action.call, open, secret) }];
  });
  const kwargs = { ...message.additional_kwargs, holdpoint: { sealed } };
  return copyOf(message, { additional_kwargs: kwargs });
}

/** What a message says of the outcome of one of its calls; `broken` when it was not sealed with this secret for this call. */
export type Unsealed =
  | { readonly type: "valid"; readonly review: Review }
  | { readonly type: "broken" }
  | { readonly type: "none" };

/** Reads the outcome of one call from its turn's message. */
export function unsealOutcome(
  turn: AIMessage,
  about: {
    readonly threadId: string;
    readonly agent: string;
    readonly toolCallId: string;
  },
  secret: string,
): Unsealed {
  const written = turn.additional_kwargs["holdpoint"];
  if (written === undefined) return { type: "none" };
  const note = noteSchema.safeParse(written);
  const call = turn.tool_calls?.find((one) => one.id === about.toolCallId);
  if (!note.success || call === undefined || !isJsonObject(call.args)) return { type: "broken" };
  const sealed = note.data.sealed.find((one) => one.toolCallId === about.toolCallId);
  if (sealed === undefined) return { type: "none" };
  const { seal, ...open } = sealed;
  const turnId = turn.id ?? "";
  const proposed = { name: call.name, args: call.args };
  if (!isSame(seal, sealOf(about.threadId, turnId, proposed, open, secret)))
    return { type: "broken" };
  const { outcome, recorded } = open;
  const action: Action = {
    id: open.actionId,
    toolCallId: about.toolCallId,
    call: proposed,
    digest: digestCall({ ...proposed, argsSchema: undefined }),
    allowedDecisions: [],
    rule: "sealed",
    reason: "It was decided before this process started.",
    reasonCode: "always",
    state: { status: "decided", outcome, recorded },
  };
  const review: Review = {
    id: open.reviewId,
    version: 1,
    threadId: about.threadId,
    agent: about.agent,
    turnId,
    interruptId: `sealed_${open.reviewId}`,
    raised: { taskId: "", round: 0, votes: 0 },
    cause: "policy",
    createdAt: recorded.at,
    actions: [action],
    state: { status: "decided", settledAt: recorded.at },
  };
  return { type: "valid", review };
}

function sealOf(
  threadId: string,
  turnId: string,
  call: { readonly name: string; readonly args: JsonObject },
  open: Omit<Sealed, "seal">,
  secret: string,
): string {
  const plain = JSON.parse(JSON.stringify({ threadId, turnId, call, open })) as JsonObject; // drops absent fields
  return createHmac("sha256", secret).update(canonicalJson(plain)).digest("base64url");
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
