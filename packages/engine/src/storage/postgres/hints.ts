// Hints go by NOTIFY, on a connection of their own and never in a deciding transaction: committing with a
// NOTIFY takes a lock of the whole server. What is told within a few milliseconds goes in one message.
import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { Client } from "pg";
import type { Hints, News } from "../hints.ts";
import { messagesOf, newsIn } from "./hint-messages.ts";
import { isDirect } from "./pooler.ts";
import { messageOf } from "../../error-message.ts";

/** How long hints are gathered before they are sent, in milliseconds. */
const gatherFor = 10;
/** How long anything on the connection may take, and how often it is tried whether it still stands. */
const patience = 10_000;
const checkEvery = 30_000;
/** The first pause before a lost connection is made anew, and the longest. */
const pauses = { first: 100, longest: 30_000 };

/** Another attempt would end no better. */
class NoHints extends Error {}

/**
 * Opens hints on the direct address, or on the database's own when there is none. Behind a pooler a
 * session cannot listen: without a direct address there are no hints then, and with one that leads to a
 * pooler, or nowhere, a warning says so. Nothing waits for the connection.
 */
export function openPostgresHints(database: string, directAddress: string | undefined): Hints {
  const self = randomUUID();
  const listeners = new Set<(news: News) => void>();
  const untold = { due: new Set<string>(), said: new Set<string>() };
  let connection: { readonly client: Client; readonly socket: Socket } | undefined;
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = pauses.first;
  let stopped = false;
  let warned = false;

  const hear = (message: string | undefined): void => {
    const news = message === undefined ? undefined : newsIn(message, self);
    if (news !== undefined) for (const listener of listeners) listener(news);
  };
  const connect = async (): Promise<void> => {
    const socket = new Socket().unref();
    const client = new Client({
      connectionString: directAddress ?? database,
      application_name: "holdpoint hints",
      connectionTimeoutMillis: patience,
      query_timeout: patience,
      keepAlive: true,
      stream: () => socket,
    });
    client.on("error", () => undefined); // its end is what counts
    client.on("end", () => {
      if (connection?.client !== client) return;
      connection = undefined;
      connectAgain();
    });
    client.on("notification", ({ payload }) => hear(payload));
    try {
      await client.connect();
      if (!(await isDirect(client)))
        throw new NoHints("it leads to a pooler, which passes no notifications on");
      await client.query("SET synchronous_commit = off; LISTEN holdpoint");
    } catch (error) {
      socket.destroy();
      throw error;
    }
    if (stopped) return void socket.destroy();
    if (socket.destroyed) throw new Error("the connection was lost");
    connection = { client, socket };
    pause = pauses.first;
  };
  const connectAgain = (): void => {
    if (stopped) return;
    timer = setTimeout(start, pause * (0.5 + Math.random() / 2)).unref();
    pause = Math.min(pause * 2, pauses.longest);
  };
  const start = (): void => {
    connect().catch((error: unknown) => {
      if (stopped) return;
      if (directAddress !== undefined && !warned) {
        warned = true;
        process.emitWarning(warning(error), "Holdpoint");
      }
      if (!(error instanceof NoHints)) connectAgain();
    });
  };
  /** A connection on which nothing comes back any more is cut, and made anew. */
  const query = async (sql: string, values: readonly unknown[]): Promise<void> => {
    const used = connection;
    await used?.client.query(sql, [...values]).catch(() => void used.socket.destroy());
  };
  const send = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, gatherFor));
    const messages = messagesOf(self, { due: [...untold.due], said: [...untold.said] });
    untold.due.clear();
    untold.said.clear();
    await query("SELECT pg_notify('holdpoint', message) FROM unnest($1::text[]) AS message", [
      messages,
    ]);
    sending = undefined;
    if (untold.due.size + untold.said.size > 0) sending = send();
  };
  const check = setInterval(() => void query("SELECT 1", []), checkEvery).unref();
  start();
  return {
    tell: (about, threadId) => {
      if (connection === undefined) return;
      untold[about].add(threadId);
      sending ??= send();
    },
    listen: (listener) => void listeners.add(listener),
    close: async () => {
      stopped = true;
      clearTimeout(timer);
      clearInterval(check);
      await sending;
      connection?.socket.ref(); // whoever waits for the end must not lose it with the last thing to do
      await connection?.client.end().catch(() => undefined);
    },
  };
}

function warning(error: unknown): string {
  const why = messageOf(error);
  return `The direct address of the database cannot be used (${why}); what other processes do is seen when it is polled for.`;
}
