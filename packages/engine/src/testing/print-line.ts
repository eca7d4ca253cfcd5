import { writeSync } from "node:fs";

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Prints a line and returns when it has left the process, however long its reader takes. `process.stdout` keeps
 * what its reader has no room for in memory, where a kill loses it.
 */
export function printLine(text: string): void {
  let left = Buffer.from(`${text}\n`);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}
