/** True for a tool that was stopped: its signal was aborted, or it says so itself. */
export function isStopped(error: unknown, config: unknown): boolean {
  const signal = readKey(config, "signal");
  if (signal instanceof AbortSignal && signal.aborted) return true;
  return readKey(error, "name") === "AbortError";
}

/** One sentence for the model; never a stack trace or a path of this machine's code. */
export function failureText(tool: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const first = message.split(/\n\s*at /, 1)[0]?.trim() ?? "";
  return `Error: \`${tool}\` failed: ${first === "" ? "it gave no reason" : first}`;
}

function readKey(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[key]
    : undefined; // any object
}
