import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname } from "node:path";
import { refusalOf } from "@holdpoint/core";
import { expect, onTestFinished, test } from "vitest";
import { openEngine } from "../../engine.ts";
import { temporaryFile, temporaryFolder } from "../../testing/temporary-engine.ts";
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

test.skipIf(process.platform !== "linux")(
  "F21: an engine on such a folder does not open, and makes no file there",
  async () => {
    const path = temporaryFile();
    const known = fs.statfsSync;
    const answer = (type: number): void => {
      Object.assign(fs, { statfsSync: type === 0 ? known : () => ({ type }) });
      syncBuiltinESMExports();
    };
    onTestFinished(() => answer(0));
    answer(0x6969);
    await expect(openEngine({ database: `file:${path}` })).rejects.toMatchObject({
      code: "database_refused",
      message: expect.stringContaining("is on a network file system (NFS)") as string,
    });
    expect(fs.readdirSync(dirname(path))).toEqual([]);
    answer(0xef53);
    await (await openEngine({ database: `file:${path}` })).close();
  },
);

test("a folder on a disk of this machine is not refused", () => {
  refuseNetworkDisk(temporaryFolder());
  refuseNetworkDisk("/data", () => ({ type: 0xef53 }));
});
