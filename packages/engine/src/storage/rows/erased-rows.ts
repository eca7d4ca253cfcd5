import type { ActionState } from "@holdpoint/core";

/** What the body of an event that names somebody holds: bodies are stored as canonical JSON. */
export function mention(subject: { readonly threadId: string } | { readonly reviewerId: string }): {
  readonly type: string;
  readonly text: string;
} {
  return "threadId" in subject
    ? { type: "review.opened", text: `"threadId":${JSON.stringify(subject.threadId)}` }
    : { type: "action.decided", text: `"reviewer":${JSON.stringify(subject.reviewerId)}` };
}

/** The state of a decided action with another name for who decided it. */
export function withoutReviewer(state: string, reviewerId: string, pseudonym: string): string {
  const known = JSON.parse(state) as ActionState; // written by us
  if (known.status !== "decided" || known.recorded?.reviewer.id !== reviewerId) return state;
  const recorded = { ...known.recorded, reviewer: { id: pseudonym, name: "erased" } };
  return JSON.stringify({ ...known, recorded });
}
