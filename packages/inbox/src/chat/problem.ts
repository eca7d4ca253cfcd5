/** Why something in the chat did not work, ready to be put into words. */
export type Problem =
  | { readonly type: "unreachable" }
  | { readonly type: "said"; readonly sentence: string }
  /** The message was refused because a decision has to come first. */
  | { readonly type: "waiting" };

// What the stream client puts before the server's own sentence when a request is refused.
const requestPrefix = /^Protocol request failed: \d{3}[^—]*— /;

/** Reads an error of the stream: the server's own sentence, or that it could not be reached. */
export function problemOf(error: unknown): Exclude<Problem, { type: "waiting" }> {
  const message = error instanceof Error ? error.message : String(error);
  const noAnswer =
    (error instanceof Error && error.name === "TypeError") ||
    /failed to fetch|networkerror|load failed|fetch failed/i.test(message);
  if (noAnswer) return { type: "unreachable" };
  return { type: "said", sentence: message.replace(requestPrefix, "") };
}
