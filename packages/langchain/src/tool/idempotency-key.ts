import { type CallKey, digestJson } from "@holdpoint/core";

const configKey = "__holdpoint_key";

/** The key of a call: the same for every start of it, and for no other call. */
export function idempotencyKeyFor({ threadId, turnId, toolCallId }: CallKey): string {
  return digestJson([threadId, turnId, toolCallId]).replace("sha256:", "call_");
}

/** The same config, through which the tool finds the key of its call. */
export function withIdempotencyKey(config: unknown, key: CallKey): object {
  const given = typeof config === "object" && config !== null ? config : {};
  const configurable = "configurable" in given ? given.configurable : {};
  return {
    ...given,
    configurable: { ...(configurable as object), [configKey]: idempotencyKeyFor(key) }, // LangChain's own
  };
}

/**
 * The key of the held call that a tool runs for, from the config that is its second argument: hand it to a
 * system that does the same thing once for one key. `undefined` for a call that nobody had to approve.
 */
export function idempotencyKeyOf(config: {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
}): string | undefined {
  const key = config.configurable?.[configKey];
  return typeof key === "string" ? key : undefined;
}
