import { closeSync, fsyncSync, openSync } from "node:fs";
import process from "node:process";

/** Returns after what was written to a file is on disk. */
export function syncFile(file: string): void {
  sync(file, "r+");
}

/** Returns after a folder's new names are on disk. */
export function syncFolder(folder: string): void {
  if (process.platform !== "win32") sync(folder, "r"); // folders cannot be opened there
}

function sync(path: string, flags: string): void {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
