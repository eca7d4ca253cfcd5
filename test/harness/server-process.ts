import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A Holdpoint server in a process of its own, which a test may kill. */
export interface ServerProcess {
  readonly url: string;
  /** The one-time link that signs in whoever opens it first. */
  readonly link: string;
  readonly pid: number;
  readonly isRunning: () => boolean;
  /** All it has printed so far. */
  readonly log: () => string;
  /** Ends it as a power cut would; resolves once it is gone. */
  readonly kill9: () => Promise<void>;
  /** Asks it to end, and insists after ten seconds; resolves once it is gone. */
  readonly stop: () => Promise<void>;
}

export interface ServerOptions {
  readonly dataFolder: string;
  /** Any free one when left out. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Another config than the quickstart's, from the root of the repository. */
  readonly config?: string;
  /** A seeded fault of test/faults, for negative controls. */
  readonly fault?: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const startTimeout = 60_000;
const stopTimeout = 10_000;

/** Runs what `npm start` runs, and resolves when it has printed its one-time link. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { dataFolder, port = 0, env = {}, fault, config } = options;
  const seeded = fault === undefined ? [] : ["--import", "./test/faults/apply-fault.mjs"];
  const args = ["--conditions=@holdpoint/source", ...seeded, "scripts/start.mjs"];
  if (config !== undefined) args.push("--config", config);
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_DIRECT_URL: "",
      DATABASE_URL: "", // the tests' own Postgres is not the servers' unless a test says so
      ...env,
      HOLDPOINT_FAULT: fault ?? "",
      HOLDPOINT_DATA: dataFolder,
      PORT: String(port),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const endWithUs = () => child.kill("SIGKILL");
  process.on("exit", endWithUs);
  child.on("close", () => process.off("exit", endWithUs));

  let output = "";
  const ready = new Promise<{ url: string; link: string }>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const match = /(https?:\/\/\S+?)\/#\/enter\/[\w.~-]+(?=\s)/.exec(output);
      if (match?.[1] !== undefined) resolve({ link: match[0], url: match[1] });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("error", reject);
    child.on("close", (code, signal) =>
      reject(new Error(`The server ended (${code ?? signal}) before it was ready:\n${output}`)),
    );
  });
  const late = setTimeout(endWithUs, startTimeout);
  const { url, link } = await ready.finally(() => clearTimeout(late));

  const kill9 = async () => {
    child.kill("SIGKILL");
    await closed;
  };
  const stop = async () => {
    const insist = setTimeout(endWithUs, stopTimeout);
    child.kill("SIGTERM");
    await closed;
    clearTimeout(insist);
  };
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  // A started process has a pid.
  return { url, link, pid: child.pid ?? -1, isRunning, log: () => output, kill9, stop };
}
