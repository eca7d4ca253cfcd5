import { type Refusal, refusalOf } from "@holdpoint/core";

/**
 * Holdpoint's refusal in the error that a run ended with, or `undefined` when it ended for another
 * reason. LangChain wraps what a middleware throws, so the refusal may be the error's cause.
 */
export function refusalIn(error: unknown): Refusal | undefined {
  const seen = new Set<unknown>();
  for (let one = error; one instanceof Error && !seen.has(one); one = one.cause) {
    const refusal = refusalOf(one);
    if (refusal !== undefined) return refusal;
    seen.add(one);
  }
  return undefined;
}
