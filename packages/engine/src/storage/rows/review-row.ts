import type { Action, ActionState, JsonObject, Review, ReviewState } from "@holdpoint/core";
import { optionalText, type Row } from "./row.ts";

/** What was asked, in the column `body`: it never changes. */
type Body = Pick<Review, "agent" | "agentPath" | "parentCall" | "turnId" | "cause" | "askedFor"> & {
  readonly actions: readonly Omit<Action, "state">[];
};

/** What has become of it, in the column `state`; the states of the actions are in their order. */
type State = Pick<Review, "raised" | "addedMessages"> & {
  readonly because?: string;
  readonly actions: readonly ActionState[];
};

/** A review from its row. What was read of the two columns is made into it: it is nobody else's. */
export function reviewFrom(row: Row): Review {
  const body = JSON.parse(String(row.body)) as Body; // written by us, as is the rest
  const { raised, addedMessages, because, actions } = JSON.parse(String(row.state)) as State;
  const deadline = optionalText(row.deadline_at);
  const review: Review = Object.assign(body, {
    id: row.id as Review["id"],
    version: Number(row.version),
    threadId: String(row.thread_id),
    interruptId: String(row.interrupt_id),
    raised,
    createdAt: String(row.created_at),
    actions: body.actions.map((action, index) =>
      Object.assign(action, { state: stateAt(actions, index) }),
    ),
    state: reviewStateFrom(row, because),
  });
  if (deadline !== undefined)
    Object.assign(review, { deadline: { at: deadline, outcome: "rejected" } });
  return addedMessages === undefined ? review : Object.assign(review, { addedMessages });
}

/** The JSON of what was asked. */
export function bodyOf(review: Review): string {
  const { agent, agentPath, parentCall, turnId, cause, askedFor } = review;
  const actions = review.actions.map(({ state: _state, ...action }) => action);
  const body: Body = { agent, turnId, cause, actions };
  return JSON.stringify({ ...body, agentPath, parentCall, askedFor });
}

/** The JSON of what has become of it. */
export function stateOf({ raised, addedMessages, state, actions }: Review): string {
  const because = state.status === "closed" ? state.because : undefined;
  return JSON.stringify({ raised, addedMessages, because, actions: actions.map((a) => a.state) });
}

/** When it was settled, for the column; nothing while it is open. */
export function settledAtOf({ state }: Review): string | undefined {
  return state.status === "open" ? undefined : state.settledAt;
}

/** The column `state` with another name for who decided. */
export function withoutReviewer(column: string, reviewerId: string, pseudonym: string): string {
  const state = JSON.parse(column) as State & JsonObject;
  const actions = state.actions.map((action) => {
    if (action.status !== "decided" || action.recorded?.reviewer.id !== reviewerId) return action;
    const reviewer = { id: pseudonym, name: "erased" };
    return { ...action, recorded: { ...action.recorded, reviewer } };
  });
  return JSON.stringify({ ...state, actions });
}

function stateAt(states: readonly ActionState[], index: number): ActionState {
  const state = states[index];
  if (state === undefined) throw new Error(`Action ${index} of a stored review has no state.`);
  return state;
}

function reviewStateFrom(row: Row, because: string | undefined): ReviewState {
  const status = row.status as ReviewState["status"];
  const settledAt = String(row.settled_at);
  switch (status) {
    case "open":
      return { status };
    case "decided":
      return { status, settledAt };
    case "closed":
      return { status, settledAt, because: String(because) };
    default:
      return status satisfies never;
  }
}
