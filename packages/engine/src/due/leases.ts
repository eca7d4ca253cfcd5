import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { RunId } from "@holdpoint/core";
import { later } from "../clock.ts";
import { createHeldPermits, type HeldPermits } from "./held-permits.ts";
import type { Lease, Storage } from "../storage/storage.ts";

/** How long a lease holds without being renewed, and how often it is renewed, in milliseconds. */
const leaseFor = 15_000;
export const renewEvery = 5_000;

/**
 * Where this process's number means something. Machines made from one image share a name, and so may
 * containers, so on Linux the boot and the space of process numbers are named as well.
 */
const place = [hostname(), ...namedByLinux()].join(":").replaceAll("/", "_");

function namedByLinux(): readonly string[] {
  if (process.platform !== "linux") return [];
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return [boot, readlinkSync("/proc/self/ns/pid")];
  } catch {
    return [randomUUID()]; // nobody can tell, so nobody is thought dead before the lease runs out
  }
}

/** When this process started, on the machine's steady clock; the same in each of its threads. */
const startedAt = Math.round(Number(process.hrtime.bigint()) / 1e6 - process.uptime() * 1000);
/** How far two threads of one process may be apart when they work that out, in milliseconds. */
const startedWithin = 1_000;

/** The owners inside this thread that have stopped: their process lives, but they do not. */
const stoppedHere = new Set<string>();

/** The leases that this process holds. */
export type Leases = {
  readonly owner: string;
  readonly from: (now: string) => Lease;
  /** The runs that this engine is working on: only theirs are renewed, and it never takes them again. */
  readonly held: Set<RunId>;
  readonly permits: HeldPermits;
  readonly stop: () => void;
};

/**
 * Starts renewing this process's leases and frees those of processes on this machine that are dead, then
 * and again at each renewal, so that nobody has to wait for them to run out.
 */
export async function startLeases(storage: Storage): Promise<Leases> {
  const owner = `${place}/${process.pid}/${startedAt}/${randomUUID()}`;
  await freeThoseOfDead(storage);
  const held = new Set<RunId>();
  const permits = createHeldPermits();
  const from = (now: string): Lease => ({ owner, until: later(now, leaseFor) });
  const timer = setInterval(() => {
    // A failed renewal is tried again at the next tick; two in a row still leave the lease standing.
    storage
      .write((writing) =>
        writing.renewLeases(from(writing.now), { runs: [...held], permits: permits.running() }),
      )
      .then(() => freeThoseOfDead(storage))
      .catch(() => undefined);
  }, renewEvery);
  timer.unref();
  const stop = (): void => {
    clearInterval(timer);
    stoppedHere.add(owner);
  };
  return { owner, from, held, permits, stop };
}

async function freeThoseOfDead(storage: Storage): Promise<void> {
  for (const other of await storage.read((reading) => reading.leaseOwners()))
    if (isDead(other)) await storage.write((writing) => writing.expireLeases(other));
}

/**
 * True when the owner was a process of this machine that is gone, or an engine of this thread that was
 * closed. The same pid with another start was a predecessor; with the same one it may be another thread.
 */
function isDead(other: string): boolean {
  const [host, pid, started] = other.split("/");
  if (host !== place || pid === undefined) return false;
  if (Number(pid) === process.pid) {
    const isThisProcess = Math.abs(Number(started) - startedAt) <= startedWithin;
    return !isThisProcess || stoppedHere.has(other);
  }
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error && error.code === "ESRCH";
  }
}
