// Reads what strace has recorded of the files of a database, and of the two files outside it: what was
// acknowledged, and what the tools did. Written for `strace -f -y` with strings that are not shortened.

/** One thing that a process did to a file; paths are absolute. */
export type FileEvent =
  | { readonly type: "created"; readonly path: string }
  | { readonly type: "wrote"; readonly path: string; readonly at: number; readonly bytes: Buffer }
  /** Added at the end: what is printed, and what a tool does. */
  | { readonly type: "added"; readonly path: string; readonly bytes: Buffer }
  | { readonly type: "truncated"; readonly path: string; readonly size: number }
  | { readonly type: "synced"; readonly path: string }
  /** Its process died of this sync. It may have failed, and then what it did not write is never written. */
  | { readonly type: "sync_failed"; readonly path: string }
  | { readonly type: "removed"; readonly path: string };

/** The calls that change files; one that the trace has and this does not know is an error. */
export const tracedCalls =
  "openat,creat,pwrite64,pwritev,pwritev2,write,writev,ftruncate,truncate,fallocate,fsync,fdatasync,sync_file_range,unlink,unlinkat,rename,renameat,renameat2,copy_file_range,sendfile";

const call = /^(?:\d+ +)?(\w+)\(/;
const success = /\) += (\d+)(?:<[^>]*>)?$/;

/** The event of one line; `undefined` for a call that failed or changed nothing. Throws on what it cannot read. */
export function readLine(line: string): FileEvent | undefined {
  const name = call.exec(line)?.[1];
  if (name === undefined) return /\+\+\+|---/.test(line) ? undefined : unreadable(line);
  if (line.includes("<unfinished ...>")) return unreadable(line);
  const path = /^[^(]*\(\d+<([^>]*)>/.exec(line)?.[1] ?? "";
  if (/sync\(.*= \?$/.test(line)) return { type: "sync_failed", path };
  const returned = success.exec(line)?.[1];
  if (returned === undefined)
    return line.includes("= -1 ") || line.endsWith("= ?") ? undefined : unreadable(line);
  switch (name) {
    case "openat":
      return line.includes("O_CREAT")
        ? { type: "created", path: textIn(line).toString() }
        : undefined;
    case "pwrite64": {
      const at = /, (\d+)\) += \d+$/.exec(line)?.[1];
      return {
        type: "wrote",
        path,
        at: Number(at),
        bytes: textIn(line).subarray(0, Number(returned)),
      };
    }
    case "write":
      return { type: "added", path, bytes: textIn(line).subarray(0, Number(returned)) };
    case "ftruncate": {
      const size = /, (\d+)\) += 0$/.exec(line)?.[1];
      return { type: "truncated", path, size: Number(size) };
    }
    case "fsync":
    case "fdatasync":
      return { type: "synced", path };
    case "unlink":
      return { type: "removed", path: textIn(line).toString() };
    default:
      return unreadable(line);
  }
}

function unreadable(line: string): never {
  throw new Error(`The trace has a line that is not understood: ${line.slice(0, 200)}`);
}

const escapes: ReadonlyMap<string, number> = new Map([
  ["n", 10],
  ["t", 9],
  ["v", 11],
  ["f", 12],
  ["r", 13],
]);

/** The bytes of the one string in a line, which is written as in C. */
function textIn(line: string): Buffer {
  const [start, end] = [line.indexOf('"') + 1, line.lastIndexOf('"')];
  if (start === 0 || end < start || line.startsWith("...", end + 1)) return unreadable(line);
  const bytes = Buffer.allocUnsafe(end - start);
  let length = 0;
  for (let index = start; index < end; index += 1) {
    let code = line.charCodeAt(index);
    if (code === 92) {
      index += 1;
      const digits = octalAt(line, index);
      if (digits === "") code = escapes.get(line[index] ?? "") ?? line.charCodeAt(index);
      else {
        code = Number.parseInt(digits, 8);
        index += digits.length - 1;
      }
    }
    bytes[length] = code;
    length += 1;
  }
  return bytes.subarray(0, length);
}

/** At most three octal digits. */
function octalAt(line: string, from: number): string {
  let end = from;
  while (end < from + 3 && (line.charCodeAt(end) & ~7) === 48) end += 1;
  return line.slice(from, end);
}
