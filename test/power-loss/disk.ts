// A disk that may lose whatever was not synced. What is promised, and no more:
//
// - the bytes and the size of a file are durable after a sync of that file;
// - that a file was created or removed is durable after a sync of its folder; until then those that were
//   first may be durable and those that came later not;
// - of what was not synced each sector of 512 bytes is what it was before, or any of what was written
//   to it since, whatever became of its neighbours; and the size is any that the file had since;
// - after a sync that failed each sector is old or new for good, and later syncs do not change that.
import { basename, dirname } from "node:path";
import type { FileEvent } from "./trace.ts";

/** Draws numbers from 0 up to 1. */
type Random = () => number;

/** The files of one folder, as they are and as they may be found after a power cut. */
export type Disk = {
  readonly apply: (event: FileEvent) => void;
  /** What a power cut at this moment leaves of each file. */
  readonly cut: (random: Random) => ReadonlyMap<string, Buffer>;
  /** Whether files differ from what the processes had written. */
  readonly isOtherwise: (files: ReadonlyMap<string, Buffer>) => boolean;
};

type Change =
  | { readonly type: "wrote"; readonly at: number; readonly bytes: Buffer }
  | { readonly type: "truncated"; readonly size: number };
type File = { synced: Buffer; changes: Change[] };
type Entry = { readonly name: string; readonly file: File | undefined };

const sector = 512;

/** An empty folder; events of other folders are not its business. `random` decides what a failed sync wrote. */
export function createDisk(folder: string, random: Random): Disk {
  const synced = new Map<string, File>();
  const current = new Map<string, File>();
  let entries: Entry[] = [];

  function enter(name: string, file: File | undefined): void {
    entries.push({ name, file });
    if (file === undefined) current.delete(name);
    else current.set(name, file);
  }
  function change(path: string, made: Change): void {
    // A file that was removed while it was open is nobody's any more.
    current.get(basename(path))?.changes.push(made);
  }
  return {
    apply: (event) => {
      const name = basename(event.path);
      if (event.type === "synced" && event.path === folder) {
        for (const entry of entries) put(synced, entry);
        entries = [];
        return;
      }
      if (dirname(event.path) !== folder) return;
      switch (event.type) {
        case "created":
          if (!current.has(name)) enter(name, { synced: Buffer.alloc(0), changes: [] });
          return;
        case "removed":
          return enter(name, undefined);
        case "wrote":
        case "truncated":
          return change(event.path, event);
        case "synced": {
          const file = current.get(name);
          if (file === undefined) return;
          file.synced = found(file, () => true);
          file.changes = [];
          return;
        }
        case "sync_failed": {
          // The page cache still shows all of it, and counts as clean: no later sync writes it.
          const file = current.get(name);
          if (file === undefined) return;
          file.synced = found(file, () => random() < 0.5);
          file.changes = [];
          return;
        }
        case "added":
          throw new Error(`${name} was added to, which no file of a database is`);
        default:
          return event satisfies never;
      }
    },
    cut: (luck) => {
      const left = new Map(synced);
      for (const entry of entries.slice(0, Math.floor(luck() * (entries.length + 1))))
        put(left, entry);
      // Often nothing or all of it is lost, which a fair coin for each sector would hardly ever try.
      const mood = luck();
      const chance = mood < 0.25 ? 0 : mood < 0.4 ? 1 : luck();
      return new Map(
        [...left].map(([name, file]) => [name, found(file, () => luck() < chance, luck)]),
      );
    },
    isOtherwise: (files) =>
      files.size !== current.size ||
      [...current].some(
        ([name, file]) => files.get(name)?.equals(found(file, () => true)) !== true,
      ),
  };
}

function put(folder: Map<string, File>, { name, file }: Entry): void {
  if (file === undefined) folder.delete(name);
  else folder.set(name, file);
}

/** The file when these of its changes have reached the disk. */
function found({ synced, changes }: File, isKept: () => boolean, random?: Random): Buffer {
  if (changes.length === 0) return synced;
  const sizes = [synced.length];
  for (const change of changes) {
    const before = sizes.at(-1) ?? 0;
    sizes.push(
      change.type === "truncated" ? change.size : Math.max(before, change.at + change.bytes.length),
    );
  }
  const bytes = Buffer.alloc(Math.max(...sizes));
  synced.copy(bytes);
  for (const change of changes) {
    if (change.type === "truncated") {
      if (isKept()) bytes.fill(0, change.size);
      continue;
    }
    const end = change.at + change.bytes.length;
    for (let from = change.at; from < end;) {
      const to = Math.min(end, (Math.floor(from / sector) + 1) * sector);
      if (isKept()) change.bytes.copy(bytes, from, from - change.at, to - change.at);
      from = to;
    }
  }
  const size = random === undefined ? sizes.at(-1) : pickSize(sizes, isKept, random);
  return bytes.subarray(0, size);
}

/** The last size as often as a sector is kept, otherwise any that it had. */
function pickSize(sizes: readonly number[], isKept: () => boolean, random: Random): number {
  const any = sizes[Math.floor(random() * sizes.length)];
  return (isKept() ? sizes.at(-1) : any) ?? 0;
}
