import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-engine.ts";
import { redact } from "./redact.ts";
import { isSigned, readSeal, sealEvents } from "./seal.ts";
import { createKeyFile, readSigningKey } from "./signing-key.ts";

test("a seal has one text: the same signature or the same values written otherwise are none", () => {
  const keyFile = join(temporaryFolder(), "audit.pem");
  createKeyFile(keyFile);
  const place = { last: undefined, to: 3, at: "2026-11-30T12:00:00.000Z" };
  const events = [1, 3].map((position) => ({ position, hash: `sha256:${"ab".repeat(32)}` }));
  const { line } = sealEvents(events, place, readSigningKey(keyFile));
  expect(readSeal(line)).toMatchObject({ count: 2, gaps: [[2, 2]], marks: "abababababababab" });
  expect(isSigned(line)).toBe(true);
  // The last letter of this base64 has four bits that nobody reads.
  const loose = line.replace(/(.)==/, (_all, letter: string) => `${letter === "B" ? "C" : "B"}==`);
  for (const other of [
    loose,
    ` ${line}`,
    line.replace(":", ": "),
    line.replace('"to":3', '"to":3.0'),
  ])
    expect(readSeal(other), other).toBeUndefined();
});

test("T36: what a key calls secret is left out, wherever it stands, and what the policy names", () => {
  const secrets = { password: "x", apiKey: "x", API_KEY: "x", access_token: 1, Authorization: "x" };
  const body = { to: "a@b.c", iban: "x", list: [{ "client-secret": { deep: "x" } }], ...secrets };
  const found = redact(body, { paths: ["list.*.other", "to"], keys: ["IBAN"] });
  expect(JSON.stringify(found.body)).not.toMatch(/"x"|a@b\.c/);
  expect(found.redacted).toHaveLength(8);
  expect(redact({ tool: "x" }, { paths: [], keys: [] })).toEqual({
    body: { tool: "x" },
    redacted: [],
  });
});
