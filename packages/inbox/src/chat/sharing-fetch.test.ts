import { expect, test, vi } from "vitest";
import { createSharingFetch, type PageVisibility } from "./sharing-fetch.ts";

/** A page whose visibility the test sets. */
function page() {
  let hidden = false;
  const listeners = new Set<() => void>();
  const visibility: PageVisibility = {
    isHidden: () => hidden,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    visibility,
    set: (value: boolean) => {
      hidden = value;
      for (const listener of listeners) listener();
    },
  };
}

/** A network edge that counts its open streams and lets the test write into the newest. */
function network() {
  const state = {
    open: 0,
    opened: 0,
    write: (text: string): void => void text,
    end: (): void => undefined,
  };
  const send: typeof fetch = async (_input, init) => {
    state.open += 1;
    state.opened += 1;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        state.write = (text) => controller.enqueue(new TextEncoder().encode(text));
        state.end = () => controller.close();
        init?.signal?.addEventListener("abort", () => {
          state.open -= 1;
          controller.error(init.signal?.reason);
        });
      },
    });
    return new Response(body);
  };
  return { state, send };
}

const stream = { method: "POST", headers: { accept: "text/event-stream" } };

async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  return new TextDecoder().decode((await reader.read()).value);
}

test("a page that stays hidden gives its connection back and goes on when it is seen again", async () => {
  const { state, send } = network();
  const { visibility, set } = page();
  const response = await createSharingFetch(visibility, { fetch: send, graceMs: 5 })("/s", stream);
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("no body");
  state.write("one");
  expect(await read(reader)).toBe("one");
  set(true);
  await vi.waitFor(() => expect(state.open).toBe(0));
  set(false);
  await vi.waitFor(() => expect(state.open).toBe(1));
  state.write("two");
  expect(await read(reader)).toBe("two");
});

test("a page that is hidden only for a moment keeps its connection", async () => {
  const { state, send } = network();
  const { visibility, set } = page();
  await createSharingFetch(visibility, { fetch: send, graceMs: 60_000 })("/s", stream);
  set(true);
  set(false);
  expect(state).toMatchObject({ open: 1, opened: 1 });
});

test("a stream that a hidden page asks for is opened when the page is seen", async () => {
  const { state, send } = network();
  const { visibility, set } = page();
  set(true);
  const asked = createSharingFetch(visibility, { fetch: send })("/s", stream);
  expect(state.opened).toBe(0);
  set(false);
  await asked;
  expect(state.opened).toBe(1);
});

test("an end and an error of the server reach the hook as they are", async () => {
  const { state, send } = network();
  const { visibility } = page();
  const response = await createSharingFetch(visibility, { fetch: send })("/s", stream);
  state.end();
  expect(await response.text()).toBe("");
  const failing: typeof fetch = () => Promise.reject(new TypeError("Failed to fetch"));
  await expect(createSharingFetch(visibility, { fetch: failing })("/s", stream)).rejects.toThrow(
    "Failed to fetch",
  );
});

test("other requests pass through, also from a hidden page", async () => {
  const { visibility, set } = page();
  set(true);
  const send: typeof fetch = () => Promise.resolve(new Response("ok"));
  expect(
    await (
      await createSharingFetch(visibility, { fetch: send })("/commands", { method: "POST" })
    ).text(),
  ).toBe("ok");
});
