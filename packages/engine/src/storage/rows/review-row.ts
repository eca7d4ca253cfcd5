import type {
  Action,
  ActionId,
  ActionState,
  Cause,
  DecisionType,
  Digest,
  JsonObject,
  ParentCall,
  Provenance,
  Raised,
  Review,
  ReviewId,
  ReviewState,
} from "@holdpoint/core";
import { optionalText, type Row } from "./row.ts";

/** A review from its row and those of its actions, in their order. */
export function reviewFrom(row: Row, actions: readonly Row[]): Review {
  const askedFor = optionalText(row.asked_for);
  const added = optionalText(row.added_messages);
  const deadline = optionalText(row.deadline_at);
  return {
    id: row.id as ReviewId, // written by us under this type, as are the casts below
    version: Number(row.version),
    threadId: String(row.thread_id),
    agent: String(row.agent),
    ...provenanceFrom(row),
    turnId: String(row.turn_id),
    interruptId: String(row.interrupt_id),
    raised: JSON.parse(String(row.raised)) as Raised,
    cause: row.cause as Cause,
    ...(askedFor === undefined ? {} : { askedFor }),
    createdAt: String(row.created_at),
    ...(deadline === undefined ? {} : { deadline: { at: deadline, outcome: "rejected" } }),
    ...(added === undefined ? {} : { addedMessages: JSON.parse(added) as JsonObject[] }),
    actions: actions.map(actionFrom),
    state: reviewStateFrom(row),
  };
}

function provenanceFrom(row: Row): Provenance {
  const agentPath = optionalText(row.agent_path);
  const parentCall = optionalText(row.parent_call);
  return {
    ...(agentPath === undefined ? {} : { agentPath: JSON.parse(agentPath) as string[] }),
    ...(parentCall === undefined ? {} : { parentCall: JSON.parse(parentCall) as ParentCall }),
  };
}

function reviewStateFrom(row: Row): ReviewState {
  const status = row.status as ReviewState["status"];
  const settledAt = String(row.settled_at);
  switch (status) {
    case "open":
      return { status };
    case "decided":
      return { status, settledAt };
    case "closed":
      return { status, settledAt, because: String(row.closed_because) };
    default:
      return status satisfies never;
  }
}

function actionFrom(row: Row): Action {
  const argsSchema = optionalText(row.args_schema);
  const answerSchema = optionalText(row.answer_schema);
  const description = optionalText(row.description);
  return {
    id: row.id as ActionId,
    toolCallId: String(row.tool_call_id),
    call: JSON.parse(String(row.call)) as Action["call"],
    ...(argsSchema === undefined ? {} : { argsSchema: JSON.parse(argsSchema) as JsonObject }),
    ...(answerSchema === undefined ? {} : { answerSchema: JSON.parse(answerSchema) as JsonObject }),
    digest: row.digest as Digest,
    ...(description === undefined ? {} : { description }),
    allowedDecisions: JSON.parse(String(row.allowed)) as DecisionType[],
    rule: String(row.rule),
    reason: String(row.reason),
    reasonCode: row.reason_code as Action["reasonCode"],
    state: JSON.parse(String(row.state)) as ActionState,
  };
}
