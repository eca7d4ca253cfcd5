const repeats = 3;
const firstPauseMs = 400;

/**
 * A `fetch` that sends a request again when the connection was lost or the server failed, as the
 * stream's client does by itself unless a page brings its own `fetch`. Safe because commands are: the
 * same message or the same decision again is answered with the first reply.
 */
export function createRepeatingFetch(
  send: typeof fetch,
  pause: (milliseconds: number) => Promise<void> = wait,
): typeof fetch {
  return async (input, init) => {
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= repeats || init?.signal?.aborted === true;
      try {
        const response = await send(input, init);
        if (response.status < 500 || isLast) return response;
      } catch (error) {
        if (isLast || isAbort(error)) throw error;
      }
      await pause(firstPauseMs * 2 ** attempt);
    }
  };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
