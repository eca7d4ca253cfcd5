import type { ArgsProblem } from "@holdpoint/core";
import type { Path } from "./path.ts";

/** A path as `problemWithArgs` writes it: each step escaped as in a JSON pointer in a URI, joined by dots. */
export function problemPath(path: Path): string {
  return path.map((step) => escaped(String(step))).join(".");
}

/** A problem for people: where, without escapes, and what, without the place repeated. */
export function readableProblem(problem: ArgsProblem): { where: string; what: string } {
  const prefix = `"${problem.path}": `;
  const what = problem.message.startsWith(prefix)
    ? problem.message.slice(prefix.length)
    : problem.message;
  return { where: unescaped(problem.path), what };
}

function escaped(step: string): string {
  return encodeURI(step.replaceAll("~", "~0").replaceAll("/", "~1")).replaceAll("#", "%23");
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return path;
  }
}
