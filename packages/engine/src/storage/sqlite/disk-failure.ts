/**
 * SQLite's own words for a failure of the disk, or of the file on it: no room, an I/O error, read-only,
 * damaged, not to be opened. Everything else, a refused row or a lock of somebody else, is `undefined`.
 */
export function diskFailureOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  // The lower byte is the kind of failure, the rest which system call it was.
  return kinds.has(Number(error.errcode) & 0xff) ? error.message : undefined;
}

/** READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB. */
const kinds: ReadonlySet<number> = new Set([8, 10, 11, 13, 14, 15, 26]);
