import type { ServerResponse } from "node:http";
import { userInfo } from "node:os";
import { getRequestListener } from "@hono/node-server";
import { digestText } from "@holdpoint/core";
import { type AuditOptions, databaseName, openEngine } from "@holdpoint/engine";
import { join } from "node:path";
import { createApp } from "./app.ts";
import type { HoldpointConfig } from "./config/config.ts";
import { startAgentHost } from "./host/agent-host.ts";
import { createEventLog } from "./host/event-log.ts";
import { loadAgents } from "./host/load-agents.ts";
import { announceAnswered } from "./protocol/routes.ts";
import { listen } from "./web/listen.ts";

/** How a server is started. */
export type ServerOptions = {
  readonly config: HoldpointConfig;
  /** Where the agents' own files are kept, and the database unless one is named. */
  readonly dataFolder: string;
  /** `file:…` or `postgres://…`; before the configuration's own, and before the file in the data folder. */
  readonly database?: string;
  /** A Postgres address past any pooler; before the configuration's own. */
  readonly directAddress?: string;
  /** The wanted port; the next free one is taken when it is not free, and any when it is 0. */
  readonly port: number;
  /** Who seals the audit; nobody when it is left out. */
  readonly audit?: AuditOptions;
  /** Where starts of tools are noted; beside the database when it is left out. */
  readonly startsFile?: string;
  /** Called after somebody signed in with a one-time link, which is used up then. */
  readonly onSignedIn?: () => void;
};

/** A running server. */
export type RunningServer = {
  readonly url: string;
  readonly port: number;
  readonly portWasTaken: boolean;
  /** Where the state is kept, without who signs in there and how. */
  readonly database: string;
  /** Sentences about agents that could not be loaded. */
  readonly problems: readonly string[];
  /** An address that signs one person in, once. */
  readonly createLink: () => Promise<string>;
  /** Stops; runs under way are continued at the next start. */
  readonly close: () => Promise<void>;
};

/** The person of a local start; others come with identity providers. */
const localReviewer = { id: "local", name: userInfo().username };

/** Starts one server: the inbox, the chat page, the review API and the hosted agents, on one port. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const database =
    options.database ??
    options.config.database ??
    `file:${join(options.dataFolder, "holdpoint.db")}`;
  const directAddress = options.directAddress ?? options.config.directAddress;
  const engine = await openEngine({
    database,
    ...(directAddress === undefined ? {} : { directAddress }),
    ...(options.audit === undefined ? {} : { audit: options.audit }),
    ...(options.startsFile === undefined ? {} : { startsFile: options.startsFile }),
    auditWatch: { everyMs: 60 * 60 * 1000 },
  });
  const agents = await loadAgents(options.config, {
    holdpoint: engine,
    dataFolder: options.dataFolder,
  });
  const log = createEventLog(engine);
  const streams = new Set<ServerResponse>();
  const { server, port, wasTaken } = await listen(options.port).catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
  const host = startAgentHost(engine, agents, log);
  engine.onExpired(({ threadId, interruptId }) => {
    // A page that is not told finds out when it answers.
    announceAnswered({ log }, threadId, [interruptId]).catch(() => undefined);
  });
  const cookieName = cookieOf(database);
  const entered = (): void => options.onSignedIn?.();
  const app = createApp({ engine, agents, host, log, streams }, { engine, cookieName, entered });
  const handle = getRequestListener(app.fetch);
  server.on("request", (request, response) => void handle(request, response));
  const url = `http://localhost:${port}`;
  const close = async (): Promise<void> => {
    for (const stream of streams) stream.destroy();
    server.close();
    server.closeAllConnections();
    await host.stop();
    await engine.close();
  };
  let closed: Promise<void> | undefined;
  return {
    url,
    port,
    portWasTaken: wasTaken,
    database: databaseName(database),
    problems: [...agents.values()].flatMap((agent) =>
      agent.status === "failed" ? [agent.error.message] : [],
    ),
    createLink: async () => `${url}/#/enter/${await engine.access.createLink(localReviewer)}`,
    close: () => (closed ??= close()),
  };
}

/**
 * A browser sends cookies to every port of localhost, so each database has a name of its own. The servers
 * on one Postgres share sessions, although they may know it under several hosts.
 */
function cookieOf(database: string): string {
  const name = databaseName(database);
  const place = name.startsWith("postgres:") ? new URL(name).pathname : name;
  return `holdpoint_${digestText(place).slice(-12)}`;
}
