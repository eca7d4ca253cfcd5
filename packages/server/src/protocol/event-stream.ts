import type { ServerResponse } from "node:http";
import type { Engine, RunEvent } from "@holdpoint/engine";
import type { EventLog } from "../host/event-log.ts";
import { firstLine } from "../web/first-line.ts";
import { isWanted, type StreamFilter } from "./filter.ts";

/** A comment at open and then every 5 s arms the clients' watchdog. */
const heartbeatEvery = 5_000;

/** The open streams of a server, to be cut when it stops. */
export type OpenStreams = Set<ServerResponse>;

/** Which events of which thread are sent where. */
export type StreamRequest = {
  readonly threadId: string;
  readonly filter: StreamFilter;
  readonly response: ServerResponse;
};

/**
 * Sends a thread's events: first what a client needs to catch up (open questions and the latest run,
 * from its start), then everything as it happens, whichever server it happens on, and all of it as fast
 * as the client reads. The connection is never ended cleanly, because old clients take that for the end of the conversation; a replay that fails cuts it.
 */
export async function streamEvents(
  engine: Engine,
  log: EventLog,
  open: OpenStreams,
  request: StreamRequest,
): Promise<void> {
  const { threadId, filter, response } = request;
  if (response.destroyed) return; // the client left before anything could tell us
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  open.add(response);
  response.write(": open\n\n");
  const heartbeat = setInterval(() => response.write(": heartbeat\n\n"), heartbeatEvery);

  let sent = filter.since ?? 0;
  const send = async (event: RunEvent): Promise<void> => {
    if (event.seq <= sent) return;
    sent = event.seq;
    if (isWanted(filter, event.method, namespaceOf(event))) await write(response, frame(event));
  };
  const fail = (error: unknown): void => {
    console.error(`A stream of thread ${threadId} was cut: ${firstLine(error)}.`);
    response.destroy();
  };
  let stopFollowing = (): void => undefined;
  response.on("close", () => {
    clearInterval(heartbeat);
    stopFollowing();
    open.delete(response);
  });
  try {
    const { events, through } = await replay(engine, threadId);
    for (const event of events) await send(event);
    if (response.destroyed) return;
    stopFollowing = log.follow(threadId, Math.max(sent, through), { hear: send, fail });
  } catch (error) {
    fail(error);
  }
}

/** Writes and waits until the client has read enough of it, or is gone. */
async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

/** Open questions of earlier runs, and the latest run that has said anything, whole. */
async function replay(
  engine: Engine,
  threadId: string,
): Promise<{ readonly events: readonly RunEvent[]; readonly through: number }> {
  const [events, reviews] = await Promise.all([
    engine.runs.events(threadId, 0),
    engine.reviews.openOf(threadId),
  ]);
  const latest = events.at(-1)?.runId;
  const waiting = new Set(reviews.map((review) => review.interruptId));
  const wanted = events.filter((event) =>
    event.method === "input.requested" ? waiting.has(interruptOf(event)) : event.runId === latest,
  );
  return { events: wanted, through: events.at(-1)?.seq ?? 0 };
}

function frame(event: RunEvent): string {
  return `event: ${event.method}\nid: ${event.seq}\ndata: ${JSON.stringify(event.body)}\n\n`;
}

function namespaceOf(event: RunEvent): readonly string[] {
  const { params } = event.body as { params?: { namespace?: readonly string[] } }; // written by the event log
  return params?.namespace ?? [];
}

function interruptOf(event: RunEvent): string {
  const { params } = event.body as { params?: { data?: { interrupt_id?: string } } }; // written by the event log
  return params?.data?.interrupt_id ?? "";
}
