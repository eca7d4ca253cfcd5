// Sealing never holds anybody up: it reads what is settled, signs it, and writes one row. The row decides
// which of two sealers was first; the line in the file follows the row, and is written later where a crash
// came in between. Only a row can be ahead, so a file that is ahead means that the database was set back.
import { HoldpointError } from "@holdpoint/core";
import type { AuditHead, Storage } from "../storage/storage.ts";
import { rangeEnd, readSeal, sealEvents } from "./seal.ts";
import { appendLines, lastLine } from "./seals-file.ts";
import { readSigningKey } from "./signing-key.ts";
import { messageOf } from "../error-message.ts";

/** Who seals the audit and where the seals are kept besides the database. */
export type AuditOptions = {
  /** An Ed25519 private key, PKCS#8 PEM. */
  readonly keyFile: string;
  /** Seals are appended here, one JSON line each; better on another disk, or copied elsewhere. */
  readonly sealsFile: string;
  /** How often to seal, in milliseconds; only on demand when it is left out. */
  readonly everyMs?: number;
};

/** Seals the audit events. */
export type Sealer = {
  /** Seals all events that are settled by now; returns how many seals this made. */
  readonly seal: () => Promise<number>;
  /** Stops the timer and resolves when nothing is being sealed any more. */
  readonly stop: () => Promise<void>;
};

/** How many events one seal covers at most. */
export const eventsPerSeal = 4096;

/** Completes the seals file and starts the timer. Throws when the key is none, or the file is ahead of the database. */
export async function startSealer(storage: Storage, options: AuditOptions): Promise<Sealer> {
  const key = readSigningKey(options.keyFile);
  const heads: AuditHead[] = [];

  /** Up to where nothing can be added any more. Heads that are not settled yet are asked again next time. */
  async function settledTo(): Promise<number> {
    return storage.read(async (reading) => {
      heads.push(await reading.auditHead());
      for (const [index, head] of [...heads.entries()].toReversed()) {
        if (!(await reading.auditSettled(head))) continue;
        heads.splice(0, index + 1);
        return head.position;
      }
      return 0;
    });
  }

  /** One seal; 0 when there is nothing left to seal, or another process was first. */
  async function sealNext(settled: number): Promise<"sealed" | "lost" | "done"> {
    const last = await storage.read((reading) => reading.lastSeal());
    const after = last === undefined ? 0 : rangeEnd(last);
    if (after >= settled) return "done";
    const range = { after, to: settled, limit: eventsPerSeal };
    const events = await storage.read((reading) => reading.auditBetween(range));
    const to = events.length === eventsPerSeal ? (events.at(-1)?.position ?? settled) : settled;
    return storage.write(async (writing) => {
      const seal = sealEvents(events, { last, to, at: writing.now }, key);
      return (await writing.insertSeal(seal)) ? "sealed" : "lost";
    });
  }

  async function seal(): Promise<number> {
    await completeFile(storage, options.sealsFile);
    const settled = await settledTo();
    let made = 0;
    for (;;) {
      const result = await sealNext(settled);
      if (result === "done") break;
      if (result === "sealed") made += 1;
      await completeFile(storage, options.sealsFile);
    }
    return made;
  }

  let running: Promise<number> = Promise.resolve(0);
  const inTurn = (): Promise<number> => (running = running.catch(() => 0).then(seal));
  await completeFile(storage, options.sealsFile);
  const timer = options.everyMs === undefined ? undefined : every(options.everyMs, inTurn);
  return {
    seal: inTurn,
    stop: async () => {
      clearInterval(timer);
      await running.catch(() => 0);
    },
  };
}

/** Appends the seals that the database has and the file has not. */
async function completeFile(storage: Storage, file: string): Promise<void> {
  const line = lastLine(file); // read before the database, which is never behind it
  let number = line === undefined ? 0 : (readSeal(line)?.number ?? 0);
  if (line !== undefined) {
    const [same] = await storage.read((reading) => reading.sealsAfter(number - 1, 1));
    if (number === 0 || same?.line !== line) {
      throw new HoldpointError(
        "database_refused",
        `The seals file ${file} ends with ${number === 0 ? "a line that is no seal" : `seal ${number}`}, which this database does not have, so the database was set back or changed. Run "holdpoint audit verify"; if a backup was brought back, run "holdpoint restore --adopt", which keeps the file as evidence and begins a new one.`,
      );
    }
  }
  for (;;) {
    const seals = await storage.read((reading) => reading.sealsAfter(number, 100));
    const last = seals.at(-1);
    if (last === undefined) return;
    appendLines(
      file,
      seals.map((seal) => seal.line),
    );
    number = last.number;
  }
}

/** A failure is said once, and tried again at the next tick. */
function every(milliseconds: number, seal: () => Promise<number>): NodeJS.Timeout {
  let said = "";
  const timer = setInterval(() => {
    seal().then(
      () => void (said = ""),
      (error: unknown) => {
        const message = messageOf(error);
        if (message !== said)
          process.emitWarning(`The audit is not sealed: ${message}`, "Holdpoint");
        said = message;
      },
    );
  }, milliseconds);
  return timer.unref();
}
