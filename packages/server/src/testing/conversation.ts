import { onTestFinished, vi } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

/** A review as the review API shows it, as far as tests look at it. */
export type ReviewBody = {
  readonly id: string;
  readonly interruptId: string;
  readonly actions: readonly { readonly id: string; readonly permit?: string }[];
  readonly status: string;
};

/** Starts a server that is closed with the test. */
export async function startForTest(
  options?: Parameters<typeof startTestServer>[0],
): Promise<TestServer> {
  const one = await startTestServer(options);
  onTestFinished(() => one.server.close());
  return one;
}

/** The parameters of a `run.start` with one message for each id. */
export function hello(...ids: readonly string[]): object {
  const messages = ids.map((id) => ({ type: "human", content: "go", id }));
  return { assistant_id: "writer", input: { messages } };
}

/** Sends a message and gives the id of its run. */
export async function startRun(one: TestServer, threadId: string, id = "m1"): Promise<string> {
  const { body } = await one.command(threadId, "run.start", hello(id));
  const { run_id: runId } = (body["result"] ?? {}) as { run_id?: string };
  if (runId === undefined) throw new Error(`the run was refused: ${String(body["message"])}`);
  return runId;
}

/** The first review that waits, once there is one. */
export async function waitForReview(one: TestServer): Promise<ReviewBody> {
  return vi.waitFor(async () => {
    const { body } = await one.request("/api/reviews");
    const [review] = body["reviews"] as ReviewBody[]; // the route lists them
    if (review === undefined) throw new Error("no open review yet");
    return review;
  }, 5_000);
}

/** The state of a thread once nothing runs on it. */
export async function waitUntilIdle(
  one: TestServer,
  threadId: string,
): Promise<Record<string, unknown>> {
  return vi.waitFor(async () => {
    const { body } = await one.request(`/threads/${threadId}/state`);
    if ((body["next"] as string[]).length > 0) throw new Error("still busy");
    return body;
  }, 5_000);
}

/** The types and ids of a thread's messages, in order. */
export async function messagesOf(
  one: TestServer,
  threadId: string,
): Promise<readonly { readonly type: string; readonly id: string }[]> {
  const { body } = await one.request(`/threads/${threadId}/state`);
  const { messages = [] } = (body["values"] ?? {}) as { messages?: { type: string; id: string }[] };
  return messages;
}
