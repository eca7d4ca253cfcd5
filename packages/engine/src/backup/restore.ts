import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { HoldpointError } from "@holdpoint/core";
import { verifyAudit } from "../audit/verify-audit.ts";
import { checkBackup, foldIn } from "../storage/sqlite/backup-file.ts";
import { syncFile, syncFolder } from "../storage/synced-files.ts";
import { adopt } from "./adopt.ts";
import { startsFileOf } from "./refuse-copies.ts";
import { noteEpoch } from "./starts.ts";

/** Which backup is brought back, to where, and the files that belong to what is there now. */
export type RestoreOptions = {
  readonly backup: string;
  /** The path of the SQLite file that it becomes. */
  readonly path: string;
  readonly startsFile?: string;
  readonly sealsFile?: string;
  /** Files of the keys that may have sealed its audit; any key when there are none. */
  readonly publicKeys?: readonly string[];
};

/** Files that were given another name, and are kept. */
export type SetAside = readonly { readonly file: string; readonly now: string }[];

/**
 * Brings back a backup in place of a database that nobody has open: what was approved in it and may have run
 * since is asked about again. Throws `database_refused`, with nothing changed, when the backup is damaged or
 * its audit does not hold. What lay there is kept under another name.
 */
export async function restoreBackup(options: RestoreOptions): Promise<SetAside> {
  const { backup, path, sealsFile, publicKeys = [] } = options;
  const database = `file:${path}`;
  checkBackup(backup);
  const { finding } = verifyAudit({ audit: { database: backup }, publicKeys });
  if (finding !== undefined) {
    throw new HoldpointError(
      "database_refused",
      `The backup ${backup} is not restored, because its audit does not hold: ${finding.message}`,
    );
  }
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.unfinished`;
  for (const end of ["", "-wal", "-shm"]) rmSync(unfinished + end, { force: true });
  copyFileSync(backup, unfinished);
  const epoch = await adopt(`file:${unfinished}`, undefined);
  syncFile(unfinished);
  const aside = setAsideDatabase(path);
  renameSync(unfinished, path);
  syncFolder(dirname(path));
  const startsFile = options.startsFile ?? startsFileOf(database);
  if (startsFile !== undefined) noteEpoch(startsFile, epoch);
  return [...aside, ...setAside(sealsFile)];
}

/** The same for a database that was brought back by other means, such as pg_restore: it stays where it is. */
export async function adoptDatabase(options: {
  readonly database: string;
  readonly startsFile?: string;
  readonly sealsFile?: string;
}): Promise<SetAside> {
  await adopt(options.database, options.startsFile ?? startsFileOf(options.database));
  return setAside(options.sealsFile);
}

/** The next start writes a new file of seals, which are those that the database has. */
function setAside(file: string | undefined): SetAside {
  if (file === undefined || !existsSync(file)) return [];
  const now = nameAside(file);
  renameSync(file, now);
  return [{ file, now }];
}

/** The file keeps its name until the other takes it; a log left by a crash would be read into the other. */
function setAsideDatabase(path: string): SetAside {
  if (!existsSync(path)) return [];
  foldIn(path);
  const now = nameAside(path);
  linkSync(path, now);
  for (const end of ["-wal", "-shm"]) if (existsSync(path + end)) renameSync(path + end, now + end);
  return [{ file: path, now }];
}

function nameAside(file: string): string {
  return `${file}.until-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
}
