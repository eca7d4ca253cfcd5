import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  aSealedStory,
  type EventRow,
  type Forgery,
  readForgery,
  relink,
  type SealedAudit,
  writeForgedExport,
  writeForgery,
} from "../testing/sealed-audit.ts";
import { temporaryFolder } from "../testing/temporary-engine.ts";
import { openAuditFile } from "../storage/sqlite/audit-source.ts";
import { exportAudit } from "./export-audit.ts";
import { sealEvents } from "./seal.ts";
import { createKeyFile, readSigningKey } from "./signing-key.ts";
import { type AuditReport, type LinkCheck, verifyAudit } from "./verify-audit.ts";
import { verifyLinks } from "./verify-links.ts";

/** The event at a position. The story's seals end at 6, 12 and 15; events 16 to 18 are not sealed. */
function at({ events }: Forgery, position: number): EventRow {
  const event = events.find((one) => one.position === position);
  if (event === undefined) throw new Error(`there is no event at ${position}`);
  return event;
}

function without<Item>(items: Item[], isGone: (item: Item) => boolean): void {
  items.splice(0, items.length, ...items.filter((item) => !isGone(item)));
}

/** Seals what is there with another key, from a seal on. */
function sealAnew(forgery: Forgery, from: number, keyFile: string): void {
  const key = readSigningKey(keyFile);
  const ends = [6, 12, 15];
  forgery.seals.splice(from - 1);
  for (const to of ends.slice(from - 1)) {
    const last = forgery.seals.at(-1);
    const after = ends[forgery.seals.length - 1] ?? 0;
    const events = forgery.events.filter((one) => one.position > after && one.position <= to);
    forgery.seals.push(sealEvents(events, { last, to, at: "2026-11-30T12:00:00.000Z" }, key));
  }
}

type Row = readonly [
  what: string,
  forge: (forgery: Forgery, otherKey: string) => void,
  sentence: RegExp,
];

const matrix: readonly Row[] = [
  ["nothing", () => undefined, /^$/],
  [
    "an event's body changed",
    (forgery) => (at(forgery, 8).body = at(forgery, 8).body.replace("mailer", "nobody")),
    /^Event 1 of stream rev_\w+ \(position 8\) was changed/,
  ],
  [
    "an event's time changed",
    (forgery) => (at(forgery, 9).at = "2020-01-01T00:00:00.000Z"),
    /^Event 2 of stream rev_\w+ \(position 9\) was changed/,
  ],
  [
    "an event that is not sealed changed",
    (forgery) => (at(forgery, 17).type = "review.closed"),
    /^Event 2 of stream rev_\w+ \(position 17\) was changed/,
  ],
  [
    "an event changed and hashed anew, with all that follow on its stream",
    (forgery) => {
      at(forgery, 9).at = "2020-01-01T00:00:00.000Z";
      relink(forgery.events, at(forgery, 9).stream);
    },
    /^Event 2 of stream rev_\w+ \(position 9\) is not the one that seal 2 covers/,
  ],
  [
    "an event that is not sealed changed and hashed anew alone",
    (forgery) => {
      const event = at(forgery, 17);
      const { hash } = at(forgery, 18);
      event.at = "2020-01-01T00:00:00.000Z";
      const next = { ...at(forgery, 18) };
      relink(forgery.events, event.stream);
      Object.assign(at(forgery, 18), next, { hash });
    },
    /^Event 3 of stream rev_\w+ \(position 18\) does not follow the event before it/,
  ],
  [
    "an event removed",
    (forgery) => without(forgery.events, ({ position }) => position === 9),
    /^Event 2 of stream rev_\w+ \(position 9\) is missing/,
  ],
  [
    "an event that is not sealed removed",
    (forgery) => without(forgery.events, ({ position }) => position === 17),
    /^Event 2 of stream rev_\w+ \(before position 18\) is missing/,
  ],
  [
    "an event added to the end of a sealed stream",
    (forgery) => {
      const last = at(forgery, 11);
      forgery.events.push({ ...last, seq: 4, position: 12 });
      relink(forgery.events, last.stream);
      forgery.events.sort((left, right) => left.position - right.position);
    },
    /position 12\) (was added|is not the one that seal 2 covers)|out of order/,
  ],
  [
    "an event added where a stream has one already",
    (forgery) => {
      const last = at(forgery, 5);
      for (const event of forgery.events) {
        if (event.position > 5) event.position += 1;
        if (event.stream === last.stream && event.seq >= 3 && event !== last) event.seq += 1;
      }
      forgery.events.splice(5, 0, { ...last, position: 6, seq: last.seq + 1 });
      relink(forgery.events, last.stream);
    },
    /^Event \d of stream rev_\w+ \(position 6\) is not the one that seal 1 covers/,
  ],
  [
    "two events of different streams in each other's place",
    (forgery) => {
      const [left, right] = [at(forgery, 7), at(forgery, 8)];
      [left.position, right.position] = [right.position, left.position];
      forgery.events.sort((one, two) => one.position - two.position);
    },
    /^Event 1 of stream rev_\w+ \(position 7\) is not the one that seal 2 covers/,
  ],
  [
    "two events of one stream in each other's place",
    (forgery) => {
      const [left, right] = [at(forgery, 16), at(forgery, 17)];
      [left.seq, right.seq] = [right.seq, left.seq];
    },
    /^Event 2 of stream rev_\w+ \(position 16\) was changed/,
  ],
  [
    "an event moved to another stream",
    (forgery) => {
      at(forgery, 15).stream = at(forgery, 1).stream;
      at(forgery, 15).seq = 4;
      relink(forgery.events, at(forgery, 1).stream);
    },
    /^Event 4 of stream rev_\w+ \(position 15\) is not the one that seal 3 covers/,
  ],
  [
    "a whole stream removed",
    (forgery) => {
      const { stream } = at(forgery, 8);
      without(forgery.events, (event) => event.stream === stream);
    },
    /^The event at position 8, which seal 2 covers, is missing/,
  ],
  [
    "the last event of a stream cut off",
    (forgery) => without(forgery.events, ({ position }) => position === 11),
    /^The event at position 11, which seal 2 covers, is missing/,
  ],
  [
    "the last sealed event and all after it cut off",
    (forgery) => without(forgery.events, ({ position }) => position >= 15),
    /^The event at position 15, which seal 3 covers, is missing/,
  ],
  [
    "a seal removed",
    (forgery) => without(forgery.seals, ({ number }) => number === 2),
    /^Seal 2 in the (database|export) is missing/,
  ],
  [
    "the last seal removed",
    (forgery) => without(forgery.seals, ({ number }) => number === 3),
    /^Seal 3 is in .* and not in the (database|export)/,
  ],
  [
    "a seal signed again with another key",
    (forgery, otherKey) => {
      const [, , third] = forgery.seals;
      sealAnew(forgery, 2, otherKey);
      if (third !== undefined) forgery.seals[2] = third;
    },
    /^Seal 2 in the (database|export) is signed with another key/,
  ],
  [
    "every seal signed again with another key",
    (forgery, otherKey) => sealAnew(forgery, 1, otherKey),
    /^Seal 1 in the (database|export) is signed with another key/,
  ],
  [
    "a seal's signature changed",
    (forgery) => {
      const [first, second] = forgery.seals;
      if (first === undefined || second === undefined) throw new Error("there are seals");
      const signature = first.line.slice(first.line.indexOf('"signature"'));
      const line = second.line.replace(/"signature".*$/, signature);
      forgery.seals[1] = { number: 2, line };
    },
    /^Seal 2 in the (database|export) was changed: its signature does not hold/,
  ],
  [
    "the seals file shortened",
    (forgery) => forgery.file.splice(2),
    /^Seal 3 is missing in .*, which ends before/,
  ],
  [
    "the first seal taken out of the file",
    (forgery) => forgery.file.splice(0, 1),
    /^Seal 1 in .* is missing or changed/,
  ],
  [
    "the database set back to a backup that is older than the seals file",
    (forgery) => {
      without(forgery.events, ({ position }) => position > 8);
      forgery.seals.splice(1);
    },
    /^Seal 2 is in .* and not in the (database|export)\. What it covers, from position 7 on, may be missing/,
  ],
];

const home = mkdtempSync(join(tmpdir(), "holdpoint-audit-"));
const base = await aSealedStory(home);
const honest = readForgery(base);

afterAll(async () => {
  await base.engine.close();
  rmSync(home, { recursive: true });
});

/** What verifying says of a forgery, on the live database and on an export of it. */
async function verifyBoth(
  forge: Row[1],
  checkLinks: LinkCheck = verifyLinks,
): Promise<readonly AuditReport[]> {
  const folder = temporaryFolder();
  const otherKey = join(folder, "other.pem");
  createKeyFile(otherKey);
  const forgery = structuredClone(honest);
  forge(forgery, otherKey);
  writeForgery(base, forgery);
  const exported = join(folder, "export.jsonl");
  writeForgedExport(exported, forgery);
  const { database, sealsFile, keyFile } = base;
  const against = { sealsFile, publicKeys: [`${keyFile}.pub`] };
  return [
    verifyAudit({ audit: { database }, ...against }, checkLinks),
    verifyAudit({ audit: { export: exported }, ...against }, checkLinks),
  ];
}

describe("T34: verifying names the first thing that is wrong", () => {
  test.each(matrix)("%s", async (_what, forge, sentence) => {
    for (const report of await verifyBoth(forge))
      expect(report.finding?.message ?? "").toMatch(sentence);
  });

  test("a clean audit is counted", async () => {
    for (const report of await verifyBoth(() => undefined)) {
      expect(report).toMatchObject({ events: 18, streams: 6, seals: 3, unsealed: 3, redacted: 0 });
      expect(report).not.toHaveProperty("finding");
    }
  });

  test("without the link check, an event that was changed is missed", async () => {
    const blind: LinkCheck = (source) => ({ ...verifyLinks(source), finding: undefined });
    for (const report of await verifyBoth((forgery) => (at(forgery, 8).type = "x"), blind))
      expect(report.finding).toBeUndefined();
  });
});

describe("an export", () => {
  function exported(sealed: SealedAudit): string[] {
    return [...exportAudit(openAuditFile(sealed.database), { paths: [], keys: [] })];
  }

  test.each<readonly [string, (lines: string[]) => void, RegExp]>([
    ["that is cut off", (lines) => lines.splice(-1), /no last line/],
    [
      "without its last events",
      (lines) => lines.splice(17, 1),
      /17 events and 3 seals instead of 18/,
    ],
    [
      "with two lines swapped",
      (lines) => lines.splice(3, 2, lines[4] ?? "", lines[3] ?? ""),
      /Line 5 .*order/,
    ],
    ["with a blank in a line", (lines) => (lines[3] = ` ${lines[3]}`), /Line 4 .*not a line/],
    ["with a line added at the end", (lines) => lines.push(lines[0] ?? ""), /not a line/],
  ])("%s is refused", (_what, forge, sentence) => {
    writeForgery(base, honest);
    const lines = exported(base);
    expect(lines).toHaveLength(18 + 3 + 1);
    forge(lines);
    const file = join(temporaryFolder(), "export.jsonl");
    writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
    const report = verifyAudit({ audit: { export: file } });
    expect(report.finding?.message).toMatch(sentence);
  });
});
