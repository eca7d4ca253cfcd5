// An engine in a process of its own, of which every n-th write or sync of the database's files fails with
// a real error, put there by strace. Each call is held and approved until that is acknowledged.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ReviewDraft } from "@holdpoint/core";
import { firstBrokenEvent } from "@holdpoint/engine";
import { openStorage } from "../../packages/engine/src/storage/open-storage.ts";
import type { EngineCommand } from "../../packages/engine/src/testing/engine-child.ts";
import { sqliteIn } from "../reliability/ground.ts";
import { unitOf } from "../reliability/unit.ts";

/** Which call fails, with which error, and each which time. */
export type DiskError = {
  readonly call: "pwrite64" | "fsync";
  readonly error: "ENOSPC" | "EIO" | "EROFS";
  readonly every: number;
};

/** What came of it. */
export type DiskErrorFigures = {
  /** Calls that failed, requests that were refused because of it, and those that were acknowledged. */
  readonly failures: number;
  readonly refusals: readonly string[];
  readonly acknowledged: number;
  readonly violations: readonly string[];
};

const reviewer = { id: "anna", name: "Anna" };
/** A request that is refused as often will not be accepted any more. */
const triesAtMost = 50;

/** Has so many calls approved on a disk that fails; perhaps with a mistake from the seeded faults. */
export async function failDisk(
  disk: DiskError,
  calls: number,
  fault?: string,
): Promise<DiskErrorFigures> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-disk-")));
  const ground = sqliteIn(folder);
  await (await openStorage(ground.database)).close();
  const path = join(folder, "holdpoint.db");
  const trace = `${folder}-trace`;
  const child = startUnderStrace({ disk, trace, watched: [path, `${path}-wal`] }, fault);
  const acknowledged: ReviewDraft[] = [];
  const refusals: string[] = [];
  const violations: string[] = [];
  const insist = async (command: EngineCommand, wanted: string): Promise<boolean> => {
    for (let tries = 0; tries < triesAtMost; tries += 1) {
      const answer = await child.tell(command);
      if (answer === wanted) return true;
      refusals.push(answer);
    }
    violations.push(`${command.type} was never accepted: ${refusals.at(-1)}`);
    return false;
  };
  if (await insist({ type: "open", database: ground.database }, '"open"')) {
    for (let number = 1; number <= calls; number += 1) {
      const { draft } = unitOf(1, number);
      if (!(await insist({ type: "hold", draft, reviewer }, '"recorded"'))) break;
      acknowledged.push(draft);
    }
  }
  await child.end();
  violations.push(...(await ground.problems()), ...(await lostIn(ground.database, acknowledged)));
  const failures = readFileSync(trace, "utf8").split("(INJECTED)").length - 1;
  rmSync(trace);
  await ground.remove();
  return { failures, refusals, acknowledged: acknowledged.length, violations };
}

type Child = {
  readonly tell: (command: EngineCommand) => Promise<string>;
  readonly end: () => Promise<void>;
};

function startUnderStrace(
  how: { readonly disk: DiskError; readonly trace: string; readonly watched: readonly string[] },
  fault?: string,
): Child {
  const { call, error, every } = how.disk;
  const script = new URL("../../packages/engine/src/testing/engine-child.ts", import.meta.url);
  const seeded = fileURLToPath(new URL("../faults/apply-fault.mjs", import.meta.url));
  const faulty = fault === undefined ? [] : [`--import=${seeded}`];
  const child = spawn(
    "strace",
    [
      ...["-f", "--seccomp-bpf", "-qq", "-s", "0", "-o", how.trace],
      ...["-e", `trace=${call}`, "-e", `inject=${call}:error=${error}:when=${every}+${every}`],
      ...how.watched.flatMap((path) => ["-P", path]),
      ...[process.execPath, "--conditions=@holdpoint/source", ...faulty, fileURLToPath(script)],
    ],
    {
      env: { ...process.env, HOLDPOINT_FAULT: fault ?? "" },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error("The engine ended by itself.");
      if (value !== "ready" && !value.startsWith("fault ")) return value;
    }
  };
  return {
    tell: (command) => {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      return next();
    },
    end: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "close");
    },
  };
}

/** P1, P7: reads the file anew. */
async function lostIn(
  database: string,
  drafts: readonly ReviewDraft[],
): Promise<readonly string[]> {
  const storage = await openStorage(database);
  const lost: string[] = [];
  for (const { id } of drafts) {
    const [review, events] = await storage.read(async (reading) => [
      await reading.findReview(id),
      await reading.auditOf(id),
    ]);
    if (review?.state.status !== "decided") lost.push(`the decision of ${id} is lost`);
    if (firstBrokenEvent(events) !== undefined) lost.push(`the audit of ${id} is broken`);
  }
  await storage.close();
  return lost;
}
