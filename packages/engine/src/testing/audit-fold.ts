import type { ReviewView } from "@holdpoint/core";
import type { AuditEvent } from "../storage/storage.ts";

/** How a review stands, without the times. */
export type Folded = {
  readonly status: string | undefined;
  readonly actions: Readonly<
    Record<string, { readonly status: string; readonly outcome?: string; readonly permit?: string }>
  >;
};

function text(value: unknown): string {
  if (typeof value !== "string") throw new Error("an event lacks a text");
  return value;
}

/** What the events of a review say of its actions and their permits. */
export function foldOf(events: readonly AuditEvent[]): Folded {
  const actions = new Map<string, { status: string; outcome?: string; permit?: string }>();
  let closed = false;
  for (const { type, body } of events) {
    if (type === "review.opened") {
      for (const action of body["actions"] as { id: string }[])
        actions.set(action.id, { status: "open" });
    } else if (type === "action.decided") {
      const approved = body["outcome"] === "approved" ? { permit: "unused" } : {};
      actions.set(text(body["actionId"]), {
        status: "decided",
        outcome: text(body["outcome"]),
        ...approved,
      });
    } else if (type === "review.expired") {
      for (const id of body["actions"] as string[])
        actions.set(id, { status: "decided", outcome: text(body["outcome"]) });
    } else if (type === "review.closed") {
      closed = true;
      for (const action of actions.values()) if (action.status === "open") action.status = "closed";
    } else if (type !== "permit.refused") {
      const known = actions.get(text(body["actionId"]));
      if (known !== undefined) known.permit = type.replace("permit.", "");
    }
  }
  const statuses = [...actions.values()].map((action) => action.status);
  const status = closed
    ? "closed"
    : statuses.every((one) => one === "decided")
      ? "decided"
      : "open";
  return { status, actions: Object.fromEntries(actions) };
}

/** What the record says of the same; the two must be equal. */
export function stateOf(view: ReviewView | undefined): Folded {
  const actions = (view?.actions ?? []).map(({ id, status, outcome, permit }) => [
    id,
    {
      status,
      ...(outcome === undefined ? {} : { outcome: outcome.type }),
      ...(permit === undefined ? {} : { permit }),
    },
  ]);
  return { status: view?.status, actions: Object.fromEntries(actions) };
}
