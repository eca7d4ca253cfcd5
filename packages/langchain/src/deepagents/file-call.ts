import type { FilesystemOperation } from "deepagents";
import { anchorOf, canonicalPath, spellingsOf } from "./glob-reach.ts";

/** What one of deepagents' own file tools is about to touch. */
export type FileCall = {
  readonly operation: FilesystemOperation;
  /**
   * `file`: exactly this path. `folder`: what lies directly in it. `tree`: it and anything below, which a
   * search reads and a delete removes.
   */
  readonly scope: "file" | "folder" | "tree";
  /** The path in each spelling under which a backend may open it, absolute. */
  readonly paths: readonly string[];
  /** True when a pattern leads out of the path, to where nobody can tell. */
  readonly isAnywhere?: boolean;
};

type Args = Readonly<Record<string, unknown>>;

/** Reads a call of one of deepagents' file tools; `undefined` for other tools and for paths that deepagents refuses. */
export function readFileCall(tool: string, args: Args): FileCall | undefined {
  switch (tool) {
    case "read_file":
      return at("read", "file", pathOf(args));
    case "write_file":
    case "edit_file":
      return at("write", "file", pathOf(args));
    case "delete":
      return at("write", "tree", pathOf(args));
    case "ls":
      return at("read", "folder", args["path"] ?? "/");
    case "grep":
      return at("read", "tree", args["path"] ?? "/");
    case "glob":
      return globCall(args);
    default:
      return undefined;
  }
}

/** deepagents takes `path` for `file_path` when a model calls it so. */
function pathOf(args: Args): unknown {
  return Object.hasOwn(args, "file_path") ? args["file_path"] : args["path"];
}

function at(
  operation: FilesystemOperation,
  scope: FileCall["scope"],
  raw: unknown,
): FileCall | undefined {
  const path = canonicalPath(raw);
  if (path === undefined) return undefined;
  return { operation, scope, paths: spellingsOf(path) };
}

/** An absolute pattern is looked for from its own root, and one with `..` may climb out of the path. */
function globCall(args: Args): FileCall | undefined {
  const call = at("read", "tree", args["path"] ?? "/");
  const { pattern } = args;
  if (call === undefined || typeof pattern !== "string") return call;
  if (pattern.split("/").includes("..")) return { ...call, isAnywhere: true };
  return pattern.startsWith("/") ? { ...call, paths: [...call.paths, anchorOf(pattern)] } : call;
}
