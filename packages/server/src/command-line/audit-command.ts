import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { HoldpointError } from "@holdpoint/core";
import {
  type AuditReport,
  createKeyFile,
  exportAudit,
  openAudit,
  fingerprintOf,
  readPublicKey,
  type RedactionPolicy,
  verifyAudit,
} from "@holdpoint/engine/audit";
import { z } from "zod";
import { readOptions } from "./read-options.ts";

const text = { type: "string" } as const;
const optionsOf = {
  keygen: { out: text },
  verify: {
    database: text,
    export: text,
    seals: text,
    "public-key": { type: "string", multiple: true },
  },
  export: { database: text, redact: text, output: text },
} as const;

const policySchema = z.strictObject({
  paths: z.array(z.string()).default([]),
  keys: z.array(z.string()).default([]),
});

/** `holdpoint audit`: makes a key, verifies an audit, exports one. Sets the exit code when it does not hold. */
export async function auditCommand(args: readonly string[], usage: string): Promise<void> {
  const [command, ...rest] = args;
  switch (command) {
    case "keygen":
      return keygen(readOptions(rest, optionsOf.keygen, usage));
    case "verify":
      return verify(readOptions(rest, optionsOf.verify, usage), usage);
    case "export":
      return exportLines(readOptions(rest, optionsOf.export, usage), usage);
    default:
      throw new HoldpointError("config_invalid", usage);
  }
}

function keygen({ out = "holdpoint-audit.pem" }: { readonly out?: string }): void {
  const { publicFile } = createKeyFile(out);
  const name = fingerprintOf(readPublicKey(publicFile));
  console.log(`Wrote the key ${name} to ${out}, and its public half to ${publicFile}.`);
  console.log(
    `Start with HOLDPOINT_AUDIT_KEY=${out}. Keep the key away from who runs the database.`,
  );
}

type VerifyArgs = {
  readonly database?: string | undefined;
  readonly export?: string | undefined;
  readonly seals?: string | undefined;
  readonly "public-key"?: readonly string[] | undefined;
};

async function verify(args: VerifyArgs, usage: string): Promise<void> {
  const { database, seals, export: exported, "public-key": publicKeys = [] } = args;
  if ((database === undefined) === (exported === undefined))
    throw new HoldpointError("config_invalid", usage);
  const audit =
    exported === undefined
      ? { source: await openAudit(named(database, usage)) }
      : { export: exported };
  const report = verifyAudit({
    audit,
    publicKeys,
    ...(seals === undefined ? {} : { sealsFile: seals }),
  });
  if (report.finding !== undefined) {
    console.log(report.finding.message);
    process.exitCode = 1;
    return;
  }
  console.log(countsIn(report));
  if (report.seals === 0)
    console.log("Nothing is sealed, so events cut off at the end leave no trace.");
  else if (publicKeys.length === 0)
    console.log("The key was not given: compare its name with yours.");
  if (seals === undefined)
    console.log("No seals file was given: a database set back as a whole leaves no trace.");
}

function countsIn(report: AuditReport): string {
  const { events, streams, seals, unsealed, redacted, erased, keys } = report;
  const by = keys.length === 0 ? "" : ` by ${keys.join(", ")}`;
  const counts = `${events} events in ${streams} streams, ${seals} seals${by}, ${unsealed} events not sealed yet`;
  const left = `${redacted} events redacted: their links are checked, their content is not`;
  const gone = `${erased} events erased: their links are checked, and a record says that they were erased`;
  return `The audit holds: ${counts}${redacted === 0 ? "" : `; ${left}`}${erased === 0 ? "" : `; ${gone}`}.`;
}

type ExportArgs = {
  readonly database?: string | undefined;
  readonly redact?: string | undefined;
  readonly output?: string | undefined;
};

async function exportLines(args: ExportArgs, usage: string): Promise<void> {
  const policy = args.redact === undefined ? { paths: [], keys: [] } : readPolicy(args.redact);
  const lines = exportAudit(await openAudit(named(args.database, usage)), policy);
  if (args.output !== undefined) return writeLines(args.output, lines);
  await pipeline(
    Readable.from(lines).map((line: string) => `${line}\n`),
    process.stdout,
    { end: false },
  );
}

/** For its owner alone: it says who decided what. */
function writeLines(file: string, lines: Iterable<string>): void {
  const handle = openSync(file, "wx", 0o600);
  try {
    for (const line of lines) writeSync(handle, `${line}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function readPolicy(file: string): RedactionPolicy {
  try {
    return policySchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new HoldpointError(
      "config_invalid",
      `${file} is no redaction policy; it looks like { "paths": ["actions.*.tool"], "keys": ["iban"] }.`,
      { cause },
    );
  }
}

function named(database: string | undefined, usage: string): string {
  if (database === undefined) throw new HoldpointError("config_invalid", usage);
  return database;
}
