import type { ServerResponse } from "node:http";
import type { Engine, RunEvent } from "@holdpoint/engine";
import type { EventLog } from "../host/event-log.ts";
import { isWanted, type StreamFilter } from "./filter.ts";

/** A comment at open and then every 5 s arms the clients' watchdog. */
const heartbeatEvery = 5_000;
/** What may wait in a connection that is not read; more, and it is cut and repairs itself by replay. */
const mostWaiting = 4 * 1024 * 1024;

/** The open streams of a server, to be cut when it stops. */
export type OpenStreams = Set<ServerResponse>;

/**
 * Sends a thread's events: first what a client needs to catch up (open questions and the latest run,
 * from its start), then everything as it happens. The connection is never ended cleanly, because old
 * clients take that for the end of the conversation.
 */
export async function streamEvents(
  engine: Engine,
  log: EventLog,
  open: OpenStreams,
  request: {
    readonly threadId: string;
    readonly filter: StreamFilter;
    readonly response: ServerResponse;
  },
): Promise<void> {
  const { threadId, filter, response } = request;
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  open.add(response);
  const write = (text: string): void => {
    response.write(text);
    if (response.writableLength > mostWaiting) response.destroy();
  };
  write(": open\n\n");
  const heartbeat = setInterval(() => write(": heartbeat\n\n"), heartbeatEvery);

  let waiting: RunEvent[] | undefined = [];
  let sent = filter.since ?? 0;
  const send = (event: RunEvent): void => {
    if (event.seq <= sent) return;
    sent = event.seq;
    if (isWanted(filter, event.method, namespaceOf(event))) write(frame(event));
  };
  // Listening starts before the replay is read, so that nothing falls between them.
  const stopListening = log.listen(threadId, (event) => {
    if (waiting === undefined) send(event);
    else waiting.push(event);
  });
  response.on("close", () => {
    clearInterval(heartbeat);
    stopListening();
    open.delete(response);
  });
  for (const event of await replay(engine, threadId)) send(event);
  const missed = waiting;
  waiting = undefined;
  for (const event of missed) send(event);
}

/** Open questions of earlier runs, and the latest run that has said anything, whole. */
async function replay(engine: Engine, threadId: string): Promise<readonly RunEvent[]> {
  const [events, reviews] = await Promise.all([
    engine.runs.events(threadId, 0),
    engine.reviews.openOf(threadId),
  ]);
  const latest = events.at(-1)?.runId;
  const waiting = new Set(reviews.map((review) => review.interruptId));
  return events.filter((event) =>
    event.method === "input.requested" ? waiting.has(interruptOf(event)) : event.runId === latest,
  );
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
