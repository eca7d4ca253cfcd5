import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openEngine } from "@holdpoint/engine";
import { createKeyFile, verifyAudit } from "@holdpoint/engine/audit";

/**
 * How long it takes to seal and to verify a million events, in streams of five as a review of one action
 * leaves them, and how much memory that takes.
 */
const count = Number(process.argv[2] ?? 1_000_000);
const perStream = 5;

const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
const path = join(folder, "bench.db");
const keyFile = join(folder, "audit.pem");
const sealsFile = join(folder, "seals.jsonl");
createKeyFile(keyFile);

function fill(): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA synchronous = OFF; BEGIN");
  const insert = database.prepare(`INSERT INTO audit_events
    (stream, seq, position, type, at, body, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  for (let position = 1, stream = ""; position <= count;) {
    stream = `rev_${createHash("md5").update(String(position)).digest("hex")}`;
    let previous = "sha256:start";
    for (let seq = 1; seq <= perStream && position <= count; seq += 1, position += 1) {
      const at = new Date(1_800_000_000_000 + position).toISOString();
      const type = "action.decided";
      const digest = `sha256:${createHash("sha256").update(stream).digest("hex")}`;
      const body = `{"actionId":"act_${stream.slice(4)}","approved":"${digest}","decision":"approve","outcome":"approved","proposed":"${digest}","reviewer":"anna","tool":"send_email"}`;
      const text = `{"at":"${at}","body":${body},"previous":"${previous}","seq":${seq},"stream":"${stream}","type":"${type}"}`;
      const hash = `sha256:${createHash("sha256").update(text).digest("hex")}`;
      insert.run(stream, seq, position, type, at, body, previous, hash);
      previous = hash;
    }
  }
  database.exec("COMMIT");
  database.close();
}

await (await openEngine({ database: `file:${path}` })).close();
fill();

const engine = await openEngine({ database: `file:${path}`, audit: { keyFile, sealsFile } });
let start = performance.now();
const seals = await engine.sealAudit();
const seconds = (): string => ((performance.now() - start) / 1000).toFixed(2);
console.log(`\n${count.toLocaleString("en")} events sealed in ${seconds()} s, with ${seals} seals`);
await engine.close();

globalThis.gc?.();
const before = process.memoryUsage().rss;
start = performance.now();
const used = process.cpuUsage();
const report = verifyAudit({
  audit: { database: path },
  sealsFile,
  publicKeys: [`${keyFile}.pub`],
});
if (report.finding !== undefined) throw new Error(report.finding.message);
const { user, system } = process.cpuUsage(used);
const grown = Math.max(0, process.memoryUsage().rss - before) / 1024 / 1024;
console.log(
  `${report.events.toLocaleString("en")} events in ${report.streams.toLocaleString("en")} streams verified in ${seconds()} s (${((user + system) / 1e6).toFixed(2)} s of CPU); memory grew by ${grown.toFixed(0)} MB`,
);
rmSync(folder, { recursive: true, force: true });
