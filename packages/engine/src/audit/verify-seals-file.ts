import { existsSync } from "node:fs";
import { digestText, HoldpointError } from "@holdpoint/core";
import type { StoredSeal } from "../storage/storage.ts";
import type { AuditFinding, AuditSource } from "./audit-source.ts";
import { isSigned, readSeal, type Seal } from "./seal.ts";
import { linesOf } from "./seals-file.ts";

/** How many seals back a line may repeat: two processes may have completed the file at once. */
const repeatsWithin = 1000;

/** Compares a seals file with the seals of the source, line by line; returns the first difference. */
export function verifySealsFile(file: string, source: AuditSource): AuditFinding | undefined {
  if (!existsSync(file))
    throw new HoldpointError("config_invalid", `The seals file ${file} does not exist.`);
  const seals = source.seals()[Symbol.iterator]();
  const seen = new Map<number, string>();
  let last: Seal | undefined;
  let torn: string | undefined;
  const wrong = (seal: number, message: string): AuditFinding => ({
    problem: "seal",
    position: (last?.to ?? 0) + 1,
    seal,
    message,
  });
  const nextSeal = (number: number): StoredSeal | undefined => {
    const next = seals.next();
    return next.done === true ? source.sealNow(number) : next.value;
  };
  try {
    for (const line of linesOf(file)) {
      if (line === "") continue;
      const number = (last?.number ?? 0) + 1;
      const seal = readSeal(line);
      if (seal === undefined) {
        if (torn !== undefined) return wrong(number, `${lineName(file, number)} is no seal.`);
        torn = line; // a crash while it was written; the next line has to be it
        continue;
      }
      if (seal.number < number && seen.get(seal.number) === digestText(line)) continue;
      if (seal.number !== number || (torn !== undefined && !line.startsWith(torn)))
        return wrong(number, `${lineName(file, number)} is missing or changed.`);
      torn = undefined;
      const own = nextSeal(number);
      if (own === undefined) return ahead(seal, line, source, file);
      if (own.line !== line) {
        return wrong(
          number,
          `Seal ${number} in ${file} and in ${source.name} differ: one of the two was changed.`,
        );
      }
      seen.set(number, digestText(line));
      seen.delete(number - repeatsWithin);
      last = seal;
    }
    const number = (last?.number ?? 0) + 1;
    if (seals.next().done !== true) {
      return wrong(
        number,
        `Seal ${number} is missing in ${file}, which ends before: ${source.name} has it. A start of the server completes a file that a crash left behind.`,
      );
    }
    return torn === undefined
      ? undefined
      : wrong(number, `${lineName(file, number)} is no whole seal.`);
  } finally {
    seals.return?.();
  }
}

/** A seal that only the file has: what it covers was there once. */
function ahead(seal: Seal, line: string, source: AuditSource, file: string): AuditFinding {
  const what = isSigned(line)
    ? `What it covers, from position ${seal.after + 1} on, may be missing: ${source.name} is older, or was cut.`
    : `Its signature does not hold.`;
  return {
    problem: "seal",
    position: seal.after + 1,
    seal: seal.number,
    message: `Seal ${seal.number} is in ${file} and not in ${source.name}. ${what}`,
  };
}

function lineName(file: string, number: number): string {
  return `Seal ${number} in ${file}`;
}
