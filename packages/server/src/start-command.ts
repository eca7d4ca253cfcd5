import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { HoldpointError } from "@holdpoint/core";
import { loadConfig } from "./config/load-config.ts";
import { type ServerOptions, startServer } from "./server.ts";
import { firstLine } from "./web/first-line.ts";

/** `holdpoint start`: runs the server until it is told to stop. */
export async function startCommand(args: readonly string[], usage: string): Promise<void> {
  await start(readArgs(args, usage));
}

type StartArgs = { readonly config: string; readonly data: string; readonly port: number };

function readArgs(args: readonly string[], usage: string): StartArgs {
  const values = parse(args, usage);
  const port = Number(values.port ?? "2024");
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new HoldpointError(
      "config_invalid",
      `The port "${values.port}" is not a number from 0 to 65535.`,
    );
  }
  return {
    config: values.config ?? "holdpoint.config.ts",
    data: values.data ?? ".holdpoint",
    port,
  };
}

function parse(
  args: readonly string[],
  usage: string,
): { config?: string; data?: string; port?: string } {
  try {
    return parseArgs({
      args: [...args],
      options: { config: { type: "string" }, data: { type: "string" }, port: { type: "string" } },
    }).values;
  } catch (cause) {
    throw new HoldpointError("config_invalid", usage, { cause });
  }
}

async function start(args: StartArgs): Promise<void> {
  const config = await loadConfig(args.config);
  const server = await startServer({
    config,
    dataFolder: resolve(args.data),
    port: args.port,
    ...databaseOf(process.env),
    ...auditOf(args),
    ...startsOf(),
    onSignedIn: () => {
      printNextLink().catch((error: unknown) => {
        console.error(
          `Signed in, but no link for another browser could be made: ${firstLine(error)}. Start again for one.`,
        );
      });
    },
  });
  if (server.portWasTaken) console.log(`Port ${args.port} is taken; using ${server.port} instead.`);
  for (const problem of server.problems) console.error(problem);
  console.log(`Holdpoint is running at ${server.url}`);
  console.log(`Open this link once to sign in: ${await server.createLink()}`);
  console.log(`Data is kept in ${placesOf(server.database, args.data)}. Stop with Ctrl+C.`);
  async function printNextLink(): Promise<void> {
    console.log(
      `Signed in. For another browser, open this link once: ${await server.createLink()}`,
    );
  }
  const stop = (): void => {
    server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

/** The environment goes before the configuration file. */
function databaseOf(
  environment: Readonly<Record<string, string | undefined>>,
): Pick<ServerOptions, "database" | "directAddress"> {
  const { DATABASE_URL: database = "", DATABASE_DIRECT_URL: directAddress = "" } = environment;
  return {
    ...(database === "" ? {} : { database }),
    ...(directAddress === "" ? {} : { directAddress }),
  };
}

/** Where to look: the folder alone when the database is in it. */
function placesOf(database: string, folder: string): string {
  if (database === `file:${join(resolve(folder), "holdpoint.db")}`) return folder;
  return `${database}, and the agents' files in ${folder}`;
}

/** Sealed once a minute when the environment names a key. */
function auditOf(args: StartArgs): Pick<ServerOptions, "audit"> {
  const keyFile = process.env["HOLDPOINT_AUDIT_KEY"];
  if (keyFile === undefined || keyFile === "") return {};
  const sealsFile =
    process.env["HOLDPOINT_AUDIT_SEALS"] ?? join(resolve(args.data), "audit-seals.jsonl");
  return { audit: { keyFile, sealsFile, everyMs: 60_000 } };
}

/** Where starts are noted, when it is not beside the database. */
function startsOf(): Pick<ServerOptions, "startsFile"> {
  const file = process.env["HOLDPOINT_STARTS"];
  return file === undefined || file === "" ? {} : { startsFile: file };
}
