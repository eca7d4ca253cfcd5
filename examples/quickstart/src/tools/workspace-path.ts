import { lstat } from "node:fs/promises";
import { isAbsolute, join, win32 } from "node:path";

/** Where a path leads: to a place inside the workspace, or nowhere, with one sentence saying why. */
export type WorkspacePath =
  | { readonly type: "inside"; readonly path: string; readonly absolute: string }
  | { readonly type: "refused"; readonly why: string };

/**
 * Confines a path given by a model to the workspace folder. Absolute paths, `..`, backslashes and
 * symbolic links are refused: with none of them left, the text of a path says exactly where it
 * leads, so a policy that reads the text (see `policy.ts`) cannot be walked around.
 */
export async function workspacePath(workspace: string, path: string): Promise<WorkspacePath> {
  const refuse = (why: string): WorkspacePath => ({
    type: "refused",
    why: `\`${path}\` ${why}; only paths inside the workspace can be used.`,
  });

  if (isAbsolute(path) || win32.isAbsolute(path)) return refuse("is an absolute path");
  if (path.includes("\\") || path.includes("\0")) return refuse("contains a forbidden character");
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return refuse("contains `..`");
  if (parts.length === 0) return refuse("does not name a file");

  let absolute = workspace;
  for (const part of parts) {
    absolute = join(absolute, part);
    if (await isLink(absolute)) return refuse("leads through a symbolic link");
  }
  return { type: "inside", path: parts.join("/"), absolute };
}

async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() ?? false;
}
