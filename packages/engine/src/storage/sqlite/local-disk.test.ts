import { refusalOf } from "@holdpoint/core";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-engine.ts";
import { refuseNetworkDisk } from "./local-disk.ts";

/** Numbers as statfs(2) lists them; some come signed. */
test.skipIf(process.platform !== "linux").each([
  ["NFS", 0x6969],
  ["SMB", 0x517b],
  ["CIFS", 0xff534d42],
  ["CIFS", 0xff534d42 | 0],
  ["SMB2", 0xfe534d42],
])("F21: a folder on %s (%i) is refused in one sentence", (name, type) => {
  const refuse = () => refuseNetworkDisk("/data", () => ({ type }));
  expect(refuse).toThrow(
    `The folder /data is on a network file system (${name}), where SQLite loses data when two machines write; put the database on a local disk, or use Postgres.`,
  );
  try {
    refuse();
  } catch (error) {
    expect(refusalOf(error)?.code).toBe("database_refused");
  }
});

test("a folder on a disk of this machine is not refused", () => {
  refuseNetworkDisk(temporaryFolder());
  refuseNetworkDisk("/data", () => ({ type: 0xef53 }));
});
