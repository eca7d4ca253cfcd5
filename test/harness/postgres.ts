import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client } from "pg";

/** A database for one test file, and how to be rid of it. */
export interface TestPostgres {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The major versions of Postgres that are supported besides the newest. */
export const olderVersions = ["15", "16", "17"] as const;
export type OlderVersion = (typeof olderVersions)[number];

/** A server of the test's own, which it may crash. */
export interface CrashablePostgres extends TestPostgres {
  /** Ends it as a crash would; resolves when it has recovered, on the same port. */
  readonly crash: () => Promise<void>;
}

/** A server of the test's own with a second one that follows it, called `copy` where the first one names it. */
export interface CopiedPostgres extends CrashablePostgres {
  readonly copyUrl: string;
  /** Ends the first one as a crash would, for good. */
  readonly end: () => Promise<void>;
}

/**
 * An empty Postgres database: a new one on the server that DATABASE_URL names, or, without it, one
 * on a server of its own that ends with `stop` or with this process, whatever ends that.
 * Throws one sentence that says why there is none.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const server = process.env["DATABASE_URL"];
  try {
    return await (server === undefined ? startServer() : createDatabase(server));
  } catch (error) {
    throw new Error(`Postgres could not start: ${reasonOf(error)}.`, { cause: error });
  }
}

async function createDatabase(server: string): Promise<TestPostgres> {
  const name = `holdpoint_test_${randomBytes(6).toString("hex")}`;
  const run = async (statement: string) => {
    const client = new Client({ connectionString: server, connectionTimeoutMillis: 10_000 });
    try {
      await client.connect();
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await run(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, stop: () => run(`drop database if exists ${name} with (force)`) };
}

/** A server of the test's own, of an older major version when one is named. */
export async function startServer(version?: OlderVersion): Promise<CrashablePostgres> {
  const { url, stop, crash } = await own(version);
  return { url, stop, crash };
}

/** Two servers: one, and a copy that follows it asynchronously until the first is told to wait for it. */
export async function startWithCopy(): Promise<CopiedPostgres> {
  const { ask, ...server } = await own();
  const copyUrl = await ask("copy");
  return { ...server, copyUrl, end: async () => void (await ask("end")) };
}

/** Servers are owned by a process whose standard input we hold: it sees us go, however we go. */
async function own(
  version?: OlderVersion,
): Promise<CrashablePostgres & { readonly ask: (command: string) => Promise<string> }> {
  const script = fileURLToPath(new URL("postgres-process.ts", import.meta.url));
  const owner = spawn(process.execPath, version === undefined ? [script] : [script, version], {
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own, so that Ctrl-C reaches us alone and leaves the cleaning to it.
    detached: true,
  });
  const closed = once(owner, "close");
  let output = "";
  let errors = "";
  owner.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    owner.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("\n")) resolve(output.trim());
    });
    owner.on("error", reject);
    owner.on("close", () => reject(new Error(errors.trim() || "its process ended without a word")));
  });
  const stop = async () => {
    owner.stdin.end();
    await closed;
  };
  const ask = async (command: string): Promise<string> => {
    owner.stdin.write(`${command}\n`);
    const [said]: unknown[] = await Promise.race([once(owner.stdout, "data"), closed]);
    if (!Buffer.isBuffer(said)) throw new Error(errors.trim() || "Postgres did not come back");
    return said.toString().trim();
  };
  return { url, stop, crash: async () => void (await ask("crash")), ask };
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}
