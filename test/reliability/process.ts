import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Bundle } from "./bundle.ts";

/** A process of the harness, which prints one message in each line. */
export type WorkerProcess<Message> = {
  readonly send: (orders: object) => void;
  /** Resolves when it has printed a message of this type, or has ended. */
  readonly printed: (type: string) => Promise<void>;
  /** Ends it as a power cut would, unless it is dead already. */
  readonly kill: () => Promise<Death<Message>>;
};

/** All that a process had printed, and what it died of where nobody killed it. */
export type Death<Message> = {
  readonly messages: readonly Message[];
  readonly failure: string | undefined;
};

/** Compiled code is kept between processes. */
const compileCache = join(tmpdir(), "holdpoint-test-compile-cache");

/** Starts a bundled script; it kills itself where the failpoint says. */
export function startWorker<Message extends { readonly type: string }>(
  { file }: Bundle,
  failpoint?: string,
): WorkerProcess<Message> {
  const child = spawn(process.execPath, [file], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      ...(failpoint === undefined ? {} : { HOLDPOINT_FAILPOINT: failpoint }),
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const messages: Message[] = [];
  const seenTypes = new Set<string>();
  const looking = new Set<() => void>();
  let errors = "";
  child.stdin.on("error", () => undefined); // it may be gone before it has read everything
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Message; // written by our own worker
    messages.push(message);
    if (seenTypes.has(message.type)) return;
    seenTypes.add(message.type);
    for (const look of looking) look();
  });
  const ended = once(child, "close");
  return {
    send: (orders) => void child.stdin.write(`${JSON.stringify(orders)}\n`),
    printed: (type) => {
      const seen = new Promise<void>((resolve) => {
        const look = (): void => {
          if (!seenTypes.has(type)) return;
          looking.delete(look);
          resolve();
        };
        looking.add(look);
        look();
      });
      return Promise.race([seen, ended.then(() => undefined)]);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
      const failure = child.signalCode === "SIGKILL" ? undefined : `it ended by itself: ${errors}`;
      return { messages, failure };
    },
  };
}
