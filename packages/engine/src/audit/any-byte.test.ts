import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  aSealedStory,
  type Forgery,
  readForgery,
  writeForgedExport,
  writeForgery,
} from "../testing/sealed-audit.ts";
import { verifyAudit } from "./verify-audit.ts";

const home = mkdtempSync(join(tmpdir(), "holdpoint-audit-"));
const base = await aSealedStory(home);
await base.engine.sealAudit();
const honest = readForgery(base);
const exported = join(home, "export.jsonl");

afterAll(async () => {
  await base.engine.close();
  rmSync(home, { recursive: true });
});

type Change = {
  readonly row: number;
  readonly column: number;
  readonly place: number;
  readonly by: number;
};

const anyChange = fc.record({
  row: fc.nat(),
  column: fc.nat(),
  place: fc.nat(),
  by: fc.integer({ min: 1, max: 127 }),
});

/** One character changed into another; or removed, or doubled. */
function changed(text: string, { place, by }: Change): string {
  const at = place % text.length;
  if (by === 1) return text.slice(0, at) + text.slice(at + 1);
  if (by === 2) return text.slice(0, at) + text.slice(at - 1);
  const code = (text.charCodeAt(at) + by) % 128;
  return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
}

/** A changed value of any column of any row, and what the column is called. */
function forge(forgery: Forgery, change: Change): string {
  const rows: Record<string, unknown>[] = [...forgery.events, ...forgery.seals];
  const row = rows[change.row % rows.length] ?? {};
  const columns = Object.keys(row);
  const column = columns[change.column % columns.length] ?? "";
  const value = row[column];
  const next = typeof value === "number" ? value + change.by : changed(String(value), change);
  row[column] = next;
  return next === value ? "" : column;
}

function isFound(where: { readonly database: string } | { readonly export: string }): boolean {
  const { sealsFile, keyFile } = base;
  const publicKeys = [`${keyFile}.pub`];
  return verifyAudit({ audit: where, sealsFile, publicKeys }).finding !== undefined;
}

describe("T34: any change of any byte of any row is found", () => {
  const tried = new Set<string>();

  test("in a live database", () => {
    fc.assert(
      fc.property(anyChange, (change) => {
        const forgery = structuredClone(honest);
        const column = forge(forgery, change);
        // Two rows cannot have one key; there the forger is refused by the table.
        const keys = forgery.events.map(({ stream, seq }) => `${stream} ${seq}`);
        const numbers = forgery.seals.map(({ number }) => number);
        fc.pre(new Set(keys).size === keys.length && new Set(numbers).size === numbers.length);
        fc.pre(column !== "");
        tried.add(column);
        writeForgery(base, forgery);
        expect(isFound(base)).toBe(true);
      }),
      { numRuns: 250 },
    );
    expect(tried.size).toBe(11);
    writeForgery(base, structuredClone(honest));
    expect(isFound(base)).toBe(false);
  });

  test("in an export", () => {
    fc.assert(
      fc.property(anyChange, (change) => {
        const forgery = structuredClone(honest);
        const column = forge(forgery, change);
        fc.pre(column !== "" && column !== "number");
        try {
          writeForgedExport(exported, forgery);
        } catch {
          return; // a body that is no JSON cannot be put into an export
        }
        // Written by an export, a body has one text: the change may have been of its text alone.
        expect(isFound({ export: exported })).toBe(true);
      }),
      { numRuns: 150 },
    );
    writeForgedExport(exported, honest);
    expect(isFound({ export: exported })).toBe(false);
  });
});
