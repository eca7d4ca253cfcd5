import picomatch from "picomatch";

/** What picomatch does not take literally, a few harmless ones included. */
const wildcards = /[*?{[(|\\]/;

/** A path as deepagents compares it, without repeated and trailing slashes; `undefined` for one it refuses. */
export function canonicalPath(raw: unknown): string | undefined {
  if (typeof raw !== "string" || !raw.startsWith("/")) return undefined;
  const parts = partsOf(raw);
  return parts.includes("..") || parts.includes("~") ? undefined : `/${parts.join("/")}`;
}

/**
 * The path in each spelling that a rule has to be asked about. A backend opens `/./a` as `/a`, and `**`
 * does not run over a line break; deepagents compares the text alone, and lets both through.
 */
export function spellingsOf(path: string): readonly string[] {
  const plain = partsOf(path)
    .filter((part) => part !== ".")
    .join("/");
  return [...new Set([path, `/${plain}`, `/${plain.replaceAll(/[\n\r\u2028\u2029]/g, "_")}`])];
}

/** True when the glob stands for this path, as deepagents decides it (micromatch with dot files). */
export function globMatches(path: string, pattern: string): boolean {
  return picomatch.isMatch(path, pattern, { dot: true });
}

/** The longest folder at the start of a glob that has no wildcard: all it can match lies at or below it. */
export function anchorOf(pattern: string): string {
  const parts = partsOf(pattern);
  const first = parts.findIndex((part) => wildcards.test(part));
  return `/${parts.slice(0, first === -1 ? undefined : first).join("/")}`;
}

/** True when the path is the folder, or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** True when something at or below the path may be matched by the glob. */
export function mayReach(path: string, pattern: string): boolean {
  const anchor = anchorOf(pattern);
  return isWithin(path, anchor) || isWithin(anchor, path);
}

/** True when the glob matches the path and all that can ever lie below it. */
export function coversAllBelow(path: string, pattern: string): boolean {
  if (!pattern.endsWith("/**")) return false;
  const folder = pattern.slice(0, -"/**".length);
  return !wildcards.test(folder) && isWithin(path, folder === "" ? "/" : folder);
}

function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "");
}
