import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

/** What a tool does: a line in a file outside the database, which is there whatever becomes of the process. */
export function takeEffect(file: string, effect: object): void {
  const descriptor = openSync(file, "a");
  writeSync(descriptor, `${JSON.stringify(effect)}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
}
