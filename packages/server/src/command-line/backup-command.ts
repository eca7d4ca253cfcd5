import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { HoldpointError } from "@holdpoint/core";
import { adoptDatabase, restoreBackup, type SetAside, writeBackup } from "@holdpoint/engine/backup";
import { readOptions } from "./read-options.ts";

const text = { type: "string" } as const;
const backupOptions = { data: text } as const;
const restoreOptions = {
  data: text,
  database: text,
  seals: text,
  adopt: { type: "boolean" },
  "public-key": { type: "string", multiple: true },
} as const;

/** `holdpoint backup`: writes the database of a data folder to a new file. */
export function backupCommand(args: readonly string[], usage: string): void {
  const [file, ...rest] = args;
  if (file === undefined || file.startsWith("--"))
    throw new HoldpointError("config_invalid", usage);
  const { data = ".holdpoint" } = readOptions(rest, backupOptions, usage);
  writeBackup(databaseIn(data), file);
  console.log(`Wrote ${file}. Bring it back with "holdpoint restore ${file}".`);
}

/** `holdpoint restore`: brings a backup back, or adopts a database that was brought back by other means. */
export async function restoreCommand(args: readonly string[], usage: string): Promise<void> {
  const [first = "--"] = args;
  const backup = first.startsWith("--") ? undefined : first;
  const options = readOptions(args.slice(backup === undefined ? 0 : 1), restoreOptions, usage);
  const { data = ".holdpoint", database = `file:${databaseIn(data)}`, adopt } = options;
  if ((backup === undefined) !== (adopt === true))
    throw new HoldpointError("config_invalid", usage);
  const files = { ...startsFile(), ...sealsFile(options.seals, database) };
  if (backup === undefined) {
    report(await adoptDatabase({ database, ...files }));
    return;
  }
  if (options.database !== undefined) throw new HoldpointError("config_invalid", usage);
  const publicKeys = options["public-key"] ?? [];
  report(await restoreBackup({ backup, path: databaseIn(data), publicKeys, ...files }));
}

function databaseIn(data: string): string {
  return join(resolve(data), "holdpoint.db");
}

function report(aside: SetAside): void {
  for (const { file, now } of aside) console.log(`Kept ${file} as ${now}.`);
  console.log(
    "Restored. What was approved and may have run since is asked about again; everybody signs in anew.",
  );
}

function startsFile(): { startsFile?: string } {
  const file = process.env["HOLDPOINT_STARTS"];
  return file === undefined || file === "" ? {} : { startsFile: file };
}

/** Beside an SQLite file unless it is named; the sealer of another database is asked for its own. */
function sealsFile(named: string | undefined, database: string): { sealsFile?: string } {
  const file = named ?? process.env["HOLDPOINT_AUDIT_SEALS"];
  if (file !== undefined && file !== "") return { sealsFile: file };
  return database.startsWith("file:")
    ? { sealsFile: join(dirname(database.slice("file:".length)), "audit-seals.jsonl") }
    : {};
}
