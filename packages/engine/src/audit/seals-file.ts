import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "../storage/synced-files.ts";

/** Longer than any seal, in bytes. */
const longestLine = 128 * 1024;

/** Appends lines and returns after they are on disk. A line that a crash left unfinished stays alone on its own. */
export function appendLines(file: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const isNew = !existsSync(file);
  const handle = openSync(file, "a+", 0o644);
  try {
    const start = endsWhole(handle) ? "" : "\n";
    const bytes = Buffer.from(start + lines.map((line) => `${line}\n`).join(""));
    for (let written = 0; written < bytes.length;) written += writeSync(handle, bytes, written);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  if (isNew) syncFolder(dirname(file)); // its name is on disk only after its folder is
}

/** The last line that was written whole, or `undefined` when there is none. */
export function lastLine(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const handle = openSync(file, "r");
  try {
    const { size } = fstatSync(handle);
    const start = Math.max(0, size - longestLine * 2);
    const bytes = Buffer.alloc(size - start);
    readSync(handle, bytes, 0, bytes.length, start);
    return bytes
      .toString("utf8")
      .split("\n")
      .slice(0, -1)
      .findLast((line) => line !== "");
  } finally {
    closeSync(handle);
  }
}

/** Every line of a file, one after the other, also the last when it does not end; memory does not grow with the file. */
export function* linesOf(file: string): Generator<string> {
  const handle = openSync(file, "r");
  const chunk = Buffer.alloc(longestLine);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  try {
    for (let length = 1; length > 0;) {
      length = readSync(handle, chunk, 0, chunk.length, null);
      const text = decoder.decode(chunk.subarray(0, length), { stream: length > 0 });
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
    if (rest !== "") yield rest;
  } finally {
    closeSync(handle);
  }
}

function endsWhole(handle: number): boolean {
  const { size } = fstatSync(handle);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}
