import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A Node process of the test's own, which it may kill at any moment. */
export type Child = {
  /** The whole lines that it has printed so far. */
  readonly lines: readonly string[];
  readonly pid: number;
  /** Sends it one line. */
  readonly send: (line: string) => void;
  /** The next line that it prints; rejects when it ends before. */
  readonly next: () => Promise<string>;
  /** Resolves when it has ended, with all it printed read. */
  readonly ended: Promise<void>;
  /** Stands it still, as a machine that sleeps does, and wakes it. */
  readonly stop: () => void;
  readonly wake: () => void;
  /** Ends it as a power cut would; resolves once it is gone. */
  readonly kill9: () => Promise<void>;
};

/** Compiled code is kept between processes: a child is then there in a quarter of the time. */
const compileCache = join(tmpdir(), "holdpoint-test-compile-cache");

/** Runs a TypeScript file of this package, from sources. Whatever the test, the process ends with it. */
export function startChild(
  script: URL,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Child {
  const child = spawn(
    process.execPath,
    ["--conditions=@holdpoint/source", script.pathname, ...args],
    {
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let read = 0;
  let rest = "";
  child.stdin.on("error", () => undefined); // it may be gone before it has read everything
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      lines.push(line);
      const resolve = waiting.shift();
      if (resolve === undefined) continue;
      read += 1;
      resolve(line);
    }
  });
  const ended = once(child, "close").then(() => undefined);
  const kill9 = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill9);
  const early = ended.then(() => {
    throw new Error(`The child process ended too early; it had printed:\n${lines.join("\n")}`);
  });
  early.catch(() => undefined);
  return {
    lines,
    pid: child.pid ?? -1, // a started process has one
    send: (line) => void child.stdin.write(`${line}\n`),
    next: () => {
      const known = lines[read];
      if (known === undefined) {
        return Promise.race([new Promise<string>((resolve) => waiting.push(resolve)), early]);
      }
      read += 1;
      return Promise.resolve(known);
    },
    ended,
    stop: () => void child.kill("SIGSTOP"),
    wake: () => void child.kill("SIGCONT"),
    kill9,
  };
}
