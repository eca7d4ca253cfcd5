/** What the body of an event that names somebody holds: bodies are stored as canonical JSON. */
export function mention(subject: { readonly threadId: string } | { readonly reviewerId: string }): {
  readonly type: string;
  readonly text: string;
} {
  return "threadId" in subject
    ? { type: "review.opened", text: `"threadId":${JSON.stringify(subject.threadId)}` }
    : { type: "action.decided", text: `"reviewer":${JSON.stringify(subject.reviewerId)}` };
}
