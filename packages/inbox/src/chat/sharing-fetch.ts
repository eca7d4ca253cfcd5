/**
 * A `fetch` for the chat's streams. A browser allows six connections to one server over HTTP/1.1 and
 * each open chat holds two for as long as it is open, so a few tabs would leave none for the rest.
 * Here a page that has been hidden for a while gives its connections back. Its streams stay open for
 * the hook, and go on where they were when the page is seen again: the server replays, and the hook
 * drops what it knows. Every other request passes through.
 */
export function createSharingFetch(
  visibility: PageVisibility,
  options: {
    readonly fetch?: typeof fetch;
    /** What sends everything that is not a stream. */
    readonly other?: typeof fetch;
    readonly graceMs?: number;
  } = {},
): typeof fetch {
  const send = options.fetch ?? ((input, init) => fetch(input, init));
  const other = options.other ?? send;
  const graceMs = options.graceMs ?? hiddenForMs;
  return async (input, init) => {
    if (!isEventStream(init)) return other(input, init);
    const signal = init?.signal ?? undefined;
    await untilVisible(visibility, signal);
    const first = await open(send, input, init);
    if (!first.response.ok || first.response.body === null) return first.response;
    const body = relay({ send, input, init, visibility, graceMs, first });
    return new Response(body, { status: first.response.status, headers: first.response.headers });
  };
}

/** Whether the page can be seen, and when that changes. */
export type PageVisibility = {
  readonly isHidden: () => boolean;
  readonly onChange: (listener: () => void) => () => void;
};

/** The visibility of this page. */
export const pageVisibility: PageVisibility = {
  isHidden: () => document.visibilityState === "hidden",
  onChange: (listener) => {
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  },
};

/** How long a page is hidden before its connections are given back: switching tabs back and forth costs nothing. */
const hiddenForMs = 10_000;

type Connection = { readonly response: Response; readonly cut: () => void };

type Relay = {
  readonly send: typeof fetch;
  readonly input: Parameters<typeof fetch>[0];
  readonly init: RequestInit | undefined;
  readonly visibility: PageVisibility;
  readonly graceMs: number;
  readonly first: Connection;
};

function isEventStream(init: RequestInit | undefined): boolean {
  return new Headers(init?.headers).get("accept") === "text/event-stream";
}

async function open(
  send: typeof fetch,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Connection> {
  const cutter = new AbortController();
  const signals = init?.signal ? [init.signal, cutter.signal] : [cutter.signal];
  const response = await send(input, { ...init, signal: AbortSignal.any(signals) });
  return { response, cut: () => cutter.abort() };
}

/** One stream for the hook, fed by one connection after the other. */
function relay(parts: Relay): ReadableStream<Uint8Array> {
  const { visibility, graceMs, init } = parts;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current = parts.first;
  let isResting = false;
  const rest = (): void => {
    isResting = true;
    current.cut();
  };
  const stopWatching = visibility.onChange(() => {
    clearTimeout(timer);
    if (visibility.isHidden()) timer = setTimeout(rest, graceMs);
  });
  const end = (): void => {
    clearTimeout(timer);
    stopWatching();
    current.cut();
  };
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      try {
        for (;;) {
          await copy(current.response, controller).catch((error: unknown) => {
            if (!isResting) throw error;
          });
          if (!isResting) break; // the server ended it: the hook decides what that means
          await untilVisible(visibility, init?.signal ?? undefined);
          isResting = false;
          current = await open(parts.send, parts.input, init);
          if (!current.response.ok) break;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      } finally {
        end();
      }
    },
    cancel: end,
  });
}

async function copy(
  response: Response,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    controller.enqueue(value);
  }
}

function untilVisible(visibility: PageVisibility, signal: AbortSignal | undefined): Promise<void> {
  if (!visibility.isHidden()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = visibility.onChange(() => {
      if (visibility.isHidden()) return;
      stop();
      resolve();
    });
    signal?.addEventListener("abort", () => {
      stop();
      reject(signal.reason instanceof Error ? signal.reason : new Error("The stream was closed."));
    });
  });
}
