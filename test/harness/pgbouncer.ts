import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PgBouncer in front of one Postgres server. */
export interface PgBouncer {
  /** The database's address through it. */
  readonly url: string;
  readonly version: string;
  readonly stop: () => Promise<void>;
}

/** Fewer than one process opens, so that transactions of different clients take turns on each. */
const serverConnections = 4;

/** Starts the PgBouncer of the system in transaction mode. Throws one sentence when there is none. */
export async function startPgBouncer(database: string): Promise<PgBouncer> {
  const { hostname, port, username } = new URL(database);
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-pgbouncer-"));
  const own = await findFreePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 500
`,
  );
  chmodSync(folder, 0o755);
  const version = versionOf();
  // It refuses to run as root, like Postgres.
  const identity =
    process.getuid?.() === 0
      ? { uid: Number(execFileSync("id", ["-u", "nobody"]).toString()) }
      : {};
  const bouncer = spawn(program, [file], { ...identity, stdio: ["ignore", "ignore", "pipe"] });
  const closed = once(bouncer, "close");
  const endWithUs = (): void => void bouncer.kill("SIGKILL");
  process.on("exit", endWithUs);
  let log = "";
  await new Promise<void>((resolve, reject) => {
    bouncer.stderr.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes("process up")) resolve();
    });
    bouncer.on("close", () => reject(new Error(`PgBouncer ended before it was ready:\n${log}`)));
    bouncer.on("error", reject);
  });
  const url = new URL(database);
  url.host = `127.0.0.1:${own}`;
  const stop = async (): Promise<void> => {
    bouncer.kill("SIGKILL");
    await closed;
    process.off("exit", endWithUs);
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: url.href, version, stop };
}

const program = process.env["PGBOUNCER_PATH"] ?? "pgbouncer";

function versionOf(): string {
  try {
    return execFileSync(program, ["--version"]).toString().split("\n")[0] ?? "";
  } catch (cause) {
    throw new Error(
      "There is no PgBouncer; install the system's package pgbouncer or set PGBOUNCER_PATH.",
      { cause },
    );
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
