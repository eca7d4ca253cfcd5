/**
 * Listens to the outputs of a stream's tool calls, its subagents' included. LangChain gives each call a
 * promise that rejects when the tool fails or the run is stopped; one that nobody listens to would end
 * the process. The failure itself is told by the run's events.
 */
export function observeToolCalls(stream: unknown): void {
  if (typeof stream !== "object" || stream === null) return;
  if ("toolCalls" in stream) void drain(stream.toolCalls, observeOutput);
  if ("subagents" in stream) void drain(stream.subagents, observeToolCalls);
}

function observeOutput(call: unknown): void {
  if (typeof call !== "object" || call === null || !("output" in call)) return;
  if (call.output instanceof Promise) call.output.catch(() => undefined);
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
