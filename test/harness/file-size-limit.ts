import { execFileSync, spawnSync } from "node:child_process";

/** True where the system can limit the files of a process that runs; only Linux can. */
export const canLimitFiles = spawnSync("prlimit", ["--version"]).status === 0;

/**
 * From now on no write of this process goes beyond so many bytes of any file: the write that would is
 * cut short there, and the next one fails with EFBIG, as one on a full disk does with ENOSPC.
 */
export function limitFiles(pid: number, bytes: number | "unlimited"): void {
  // The soft limit alone: the hard one could not be raised again.
  execFileSync("prlimit", [`--pid=${pid}`, `--fsize=${bytes}:`]);
}
