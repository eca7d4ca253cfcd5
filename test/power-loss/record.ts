// Lives of one worker on one SQLite file, recorded: the first is killed at a named point, the next ones
// each right before a sync, so that what it wrote stays in the page cache alone, and the last ends. One
// sync would not do: it may be that of the file to which the tool writes, when the database is synced.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, cpSync, createReadStream, openSync, realpathSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { ActionId } from "@holdpoint/core";
import { bundle } from "../reliability/bundle.ts";
import type { Orders } from "../reliability/journal.ts";
import { type FileEvent, readLine, tracedCalls } from "./trace.ts";

/** What happened to the files of a database, in order, and to what stands outside it. */
export type Recording = {
  readonly folder: string;
  /** The file that acknowledgements were printed to, and the one that tools wrote to. */
  readonly said: string;
  readonly effects: string;
  readonly seed: number;
  readonly events: readonly FileEvent[];
  /** Where in the events each life begins, and the permits that the lives before it left started. */
  readonly lives: readonly { readonly from: number; readonly diedStarted: ReadonlySet<ActionId> }[];
};

/** How many rounds of work each life is given, and the mistakes that a power cut must bring to light. */
export const roundsRecorded = 10;
export const powerFaults = [
  "synchronous-normal",
  "reply-before-commit",
  "found-taken-for-durable",
] as const;

/** How a life ends: at the n-th named point, right before the n-th sync, or when all is done. */
type Death = { readonly failpoint?: string; readonly sync?: number };
const deaths: readonly Death[] = [
  { failpoint: "any@250" },
  { sync: 40 },
  { sync: 53 },
  { sync: 71 },
  {},
];
/** Units of a life are numbered from here on. */
const unitsOfLife = 1000;

/** Records a worker with, perhaps, a mistake from the seeded faults. Needs strace. */
export async function record(seed: number, rounds: number, fault?: string): Promise<Recording> {
  const folder = realpathSync(await mkdtemp(join(tmpdir(), "holdpoint-recording-")));
  const outside = realpathSync(await mkdtemp(join(tmpdir(), "holdpoint-outside-")));
  const [said, effects] = [join(outside, "said.jsonl"), join(outside, "effects.jsonl")];
  const database = join(folder, "holdpoint.db");
  const code = await bundle(new URL("../reliability/worker.ts", import.meta.url), fault);
  const watched = ["", "-wal", "-journal"].map((ending) => `${database}${ending}`);
  const events: FileEvent[] = [];
  const lives: Recording["lives"][number][] = [];
  const diedStarted = new Set<ActionId>();
  for (const [life, death] of deaths.entries()) {
    lives.push({ from: events.length, diedStarted: new Set(diedStarted) });
    const firstUnit = 1 + life * unitsOfLife;
    const orders: Orders = {
      database: `file:${database}`,
      effects,
      seed,
      again: [],
      firstUnit,
      rounds,
    };
    const trace = join(outside, `trace-${life}`);
    await live(code.file, orders, {
      said,
      trace,
      death,
      mayEndEarly: fault !== undefined,
      watched: [folder, ...watched, said, effects],
    });
    const lines = createInterface({ input: createReadStream(trace, "latin1") });
    for await (const line of lines) {
      const event = readLine(line);
      if (event !== undefined) events.push(event);
    }
    for (const id of startedIn(folder, join(outside, `copy-${life}`))) diedStarted.add(id);
  }
  await Promise.all([
    code.remove(),
    rm(folder, { recursive: true }),
    rm(outside, { recursive: true }),
  ]);
  return { folder, said, effects, seed, events, lives };
}

async function live(
  script: string,
  orders: Orders,
  how: {
    readonly said: string;
    readonly trace: string;
    readonly death: Death;
    readonly watched: readonly string[];
    readonly mayEndEarly: boolean;
  },
): Promise<void> {
  const { said, trace, death, watched } = how;
  const calls = tracedCalls.split(",").map((name) => `?${name}`);
  const inject =
    death.sync === undefined
      ? []
      : ["-e", `inject=fsync,fdatasync:signal=SIGKILL:when=${death.sync}`];
  // Stopping at other calls as well costs time, but no signal is sent without it.
  const quick = death.sync === undefined ? ["--seccomp-bpf"] : [];
  const strace = ["-f", ...quick, "-y", "-qq", "-s", "1000000", "-o", trace];
  const filter = ["-e", "signal=none", "-e", `trace=${calls.join(",")}`, ...inject];
  const output = openSync(said, "a");
  const child = spawn(
    "strace",
    [...strace, ...filter, ...watched.flatMap((path) => ["-P", path]), process.execPath, script],
    {
      env: { ...process.env, HOLDPOINT_FAILPOINT: death.failpoint ?? "" },
      stdio: ["pipe", output, "pipe"],
    },
  );
  let errors = "";
  child.stderr?.on("data", (text: Buffer) => (errors += text.toString()));
  child.stdin?.end(`${JSON.stringify(orders)}\n`);
  await once(child, "close");
  closeSync(output);
  // An engine that hardly ever syncs is done before its last sync would have come.
  const mayEnd = death.failpoint === undefined && (death.sync === undefined || how.mayEndEarly);
  const mayBeKilled = death.failpoint !== undefined || death.sync !== undefined;
  if (!(child.signalCode === "SIGKILL" ? mayBeKilled : mayEnd && child.exitCode === 0))
    throw new Error(
      `The recorded worker ended otherwise than it should (${child.exitCode ?? child.signalCode}): ${errors}`,
    );
}

/** Looks into a copy, so that nothing of this is in the recording's files. */
function startedIn(folder: string, copy: string): readonly ActionId[] {
  cpSync(folder, copy, { recursive: true });
  const database = new DatabaseSync(join(copy, "holdpoint.db"));
  const rows = database.prepare("SELECT action_id FROM permits WHERE status = 'started'").all();
  database.close();
  return rows.map((row) => String(row["action_id"]) as ActionId); // ids of ours
}
