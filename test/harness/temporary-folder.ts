import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A folder of one's own, until it is removed. */
export type TemporaryFolder = { readonly path: string; readonly remove: () => Promise<void> };

const folders = new Set<string>();

process.on("exit", () => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

/** Makes a folder that goes at the latest with this process, unless that is killed. */
export async function makeFolder(name: string, parent = tmpdir()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, `holdpoint-${name}-`));
  folders.add(path);
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      folders.delete(path);
    },
  };
}
