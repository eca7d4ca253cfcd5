// Rebuilds the files of a recording as a power cut at some moment may leave them, opens them with our own
// engine, and looks up everything that had been acknowledged by then.
import { mkdtemp } from "node:fs/promises";
import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStorage } from "../../packages/engine/src/storage/open-storage.ts";
import { sqliteIn } from "../reliability/ground.ts";
import type { Effect, Entry, Message } from "../reliability/journal.ts";
import { seeded } from "../reliability/seeded.ts";
import { unitOf } from "../reliability/unit.ts";
import { verifyUnit } from "../reliability/verify.ts";
import { createDisk } from "./disk.ts";
import type { Recording } from "./record.ts";

/** What the power cuts found. */
export type PowerCutFigures = {
  readonly cuts: number;
  /** Writes and syncs in the recording, decisions and acknowledgements of every kind in it. */
  readonly writes: number;
  readonly syncs: number;
  readonly decisions: number;
  readonly acknowledged: number;
  /** Acknowledgements that were looked up, over all cuts. */
  readonly lookedUp: number;
  /** Cuts after which a file was not as the process had left it. */
  readonly lossy: number;
  readonly violations: readonly string[];
};

type Known = { readonly entries: Map<number, Entry[]>; readonly effects: Effect[]; asked: number };

/** Cuts the power at so many moments of the recording; the seed gives the moments and what is lost. */
export async function powerCuts(
  recording: Recording,
  cuts: number,
  seed: number,
): Promise<PowerCutFigures> {
  const { events, folder, said, effects, lives } = recording;
  const moments = seeded(seed, "moments");
  const wanted = Array.from({ length: cuts }, () => Math.floor(moments() * (events.length + 1)));
  const disk = createDisk(folder, seeded(seed, "disk"));
  const known: Known = { entries: new Map(), effects: [], asked: -1 };
  const violations: string[] = [];
  let [done, lookedUp, lossy] = [0, 0, 0];
  for (const [cut, moment] of wanted.toSorted((left, right) => left - right).entries()) {
    for (; done < moment; done += 1) {
      const event = events[done];
      if (event?.type !== "added") {
        if (event !== undefined) disk.apply(event);
      } else if (event.path === said) takeIn(known, event.bytes, done);
      else if (event.path === effects) known.effects.push(...linesOf<Effect>(event.bytes));
    }
    const files = disk.cut(seeded(seed, "cut", cut));
    const found = await lookUp(recording, files, known, livesBefore(lives, known.asked));
    lookedUp += found.lookedUp;
    if (disk.isOtherwise(files)) lossy += 1;
    violations.push(...found.violations.map((what) => `cut ${cut} after event ${done}: ${what}`));
    if (violations.length > 100) break;
  }
  const all: Known = { entries: new Map(), effects: [], asked: -1 };
  for (const event of events) {
    if (event.type === "added" && event.path === said) takeIn(all, event.bytes, 0);
  }
  const entries = [...all.entries.values()].flat();
  return {
    cuts,
    writes: events.filter(({ type }) => type === "wrote").length,
    syncs: events.filter(({ type }) => type === "synced").length,
    decisions: entries.filter(({ type }) => type === "decided").length,
    acknowledged: entries.filter(isAcknowledgement).length,
    lookedUp,
    lossy,
    violations,
  };
}

function isAcknowledgement({ type }: Entry): boolean {
  return type !== "asked" && type !== "odd";
}

function takeIn(known: Known, bytes: Buffer, at: number): void {
  for (const message of linesOf<Message>(bytes)) {
    if (message.type === "ready" || message.type === "idle") continue;
    if (message.type === "asked") known.asked = at;
    known.entries.set(message.unit, [...(known.entries.get(message.unit) ?? []), message]);
  }
}

/** Lines are whole: each is printed by one write. */
function linesOf<Line>(bytes: Buffer): readonly Line[] {
  const lines = bytes.toString("utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line); // written by our own worker
}

/** The last life that is known to have opened the database: what it found there it has made durable. */
function livesBefore(lives: Recording["lives"], asked: number): Recording["lives"][number] {
  const open = lives.findLast(({ from }) => from <= asked);
  return open ?? { from: 0, diedStarted: new Set() };
}

async function lookUp(
  { seed }: Recording,
  files: ReadonlyMap<string, Buffer>,
  known: Known,
  { diedStarted }: Recording["lives"][number],
): Promise<{ readonly violations: readonly string[]; readonly lookedUp: number }> {
  const parent = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const folder = await mkdtemp(join(parent, "holdpoint-cut-"));
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  const ground = sqliteIn(folder);
  const violations: string[] = [];
  let lookedUp = 0;
  try {
    const storage = await openStorage(ground.database);
    for (const [number, entries] of known.entries) {
      lookedUp += entries.filter(isAcknowledgement).length;
      const effects = known.effects.filter(({ actionId }) => actionId.startsWith(`act_${number}_`));
      const evidence = { unit: unitOf(seed, number), entries, effects, diedStarted };
      violations.push(...(await verifyUnit(storage, evidence)).violations);
    }
    await storage.close();
    violations.push(...(await ground.problems()));
  } catch (error) {
    violations.push(`the database could not be opened or read: ${String(error)}`);
  }
  await ground.remove();
  return { violations, lookedUp };
}
