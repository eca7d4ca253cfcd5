import { type statfsSync, statfsSync as statfs } from "node:fs";
import process from "node:process";
import { HoldpointError } from "@holdpoint/core";

/** How Linux calls file systems on other machines (statfs(2)): what one machine locks, another may not see. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x69_69, "NFS"],
  [0x51_7b, "SMB"],
  [0xff_53_4d_42, "CIFS"],
  [0xfe_53_4d_42, "SMB2"],
  [0x53_46_41_4f, "AFS"],
  [0x6b_41_46_53, "AFS"],
  [0x00_c3_64_00, "Ceph"],
  [0x0b_d0_0b_d0, "Lustre"],
  [0x74_61_63_6f, "OCFS2"],
]);

/**
 * Refuses a folder on a network file system with `database_refused`: processes on two machines would write to
 * one log without seeing each other. Known on Linux only; a FUSE mount does not say what is behind it.
 */
export function refuseNetworkDisk(
  folder: string,
  look: (path: string) => Pick<ReturnType<typeof statfsSync>, "type"> = statfs,
): void {
  if (process.platform !== "linux") return;
  const name = networkFileSystems.get(Number(look(folder).type) >>> 0); // signed on some machines
  if (name === undefined) return;
  throw new HoldpointError(
    "database_refused",
    `The folder ${folder} is on a network file system (${name}), where SQLite loses data when two machines write; put the database on a local disk, or use Postgres.`,
  );
}
