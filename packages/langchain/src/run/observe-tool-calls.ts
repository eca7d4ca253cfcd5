/**
 * Listens to the outputs of a stream's tool calls, its subagents' included. LangChain gives each call a
 * promise that rejects when the tool fails or the run is stopped; one that nobody listens to would end
 * the process. The failure itself is told by the run's events.
 */
export function observeToolCalls(stream: unknown): void {
  void drain(readKey(stream, "toolCalls"), (call) => {
    const output = readKey(call, "output");
    if (output instanceof Promise) output.catch(() => undefined);
  });
  void drain(readKey(stream, "subagents"), observeToolCalls);
}

async function drain(items: unknown, each: (item: unknown) => void): Promise<void> {
  if (!isAsyncIterable(items)) return;
  try {
    for await (const item of items) each(item);
  } catch {
    // The run failed; its caller is told by the events.
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function readKey(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && key in value
    ? (value as Record<string, unknown>)[key] // it was just found there
    : undefined;
}
