import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { later } from "../clock.ts";
import type { Lease, Storage } from "../storage/storage.ts";

/** How long a lease holds without being renewed, and how often it is renewed, in milliseconds. */
const leaseFor = 15_000;
const renewEvery = 5_000;

/** The owners inside this process: it may have opened more than one engine. */
const runningHere = new Set<string>();

/** The leases that this process holds. */
export type Leases = {
  readonly owner: string;
  readonly from: (now: string) => Lease;
  readonly stop: () => void;
};

/**
 * Starts renewing this process's leases and frees those of processes on this host that are dead, so
 * that a restart does not have to wait for them to run out.
 */
export async function startLeases(storage: Storage): Promise<Leases> {
  const owner = `${hostname()}/${process.pid}/${randomUUID()}`;
  runningHere.add(owner);
  for (const other of await storage.read((reading) => reading.leaseOwners())) {
    if (isDead(other, owner)) await storage.write((writing) => writing.expireLeases(other));
  }
  const from = (now: string): Lease => ({ owner, until: later(now, leaseFor) });
  const timer = setInterval(() => {
    // A failed renewal is tried again at the next tick; two in a row still leave the lease standing.
    storage.write((writing) => writing.renewLeases(from(writing.now))).catch(() => undefined);
  }, renewEvery);
  timer.unref();
  const stop = (): void => {
    clearInterval(timer);
    runningHere.delete(owner);
  };
  return { owner, from, stop };
}

/** True when the owner was a process of this host that is gone. An own pid under another name was a predecessor. */
function isDead(other: string, self: string): boolean {
  const [host, pid] = other.split("/");
  const [ownHost, ownPid] = self.split("/");
  if (host !== ownHost || pid === undefined) return false;
  if (pid === ownPid) return !runningHere.has(other);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error && error.code === "ESRCH";
  }
}
