import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded } from "../reliability/seeded.ts";
import { createDisk, type Disk } from "./disk.ts";
import { readLine } from "./trace.ts";

const file = "/d/f";

function diskWith(text: string): Disk {
  const disk = createDisk("/d", seeded(1, "disk"));
  disk.apply({ type: "created", path: file });
  disk.apply({ type: "synced", path: "/d" });
  disk.apply({ type: "wrote", path: file, at: 0, bytes: Buffer.from(text) });
  disk.apply({ type: "synced", path: file });
  return disk;
}

/** All that a file is found to be over many power cuts; `undefined` where there is none. */
function foundOver(disk: Disk): ReadonlySet<string | undefined> {
  const cuts = Array.from({ length: 400 }, (_, cut) => disk.cut(seeded(1, cut)).get("f"));
  return new Set(cuts.map((bytes) => bytes?.toString()));
}

test("what was synced is there after every power cut", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 2000 }), (text) => {
      expect(foundOver(diskWith(text))).toEqual(new Set([text]));
    }),
    { numRuns: 20 },
  );
});

test("of what was not synced each sector is old or new, and the size is any that the file had", () => {
  const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(512));
  const disk = diskWith(`${a}${a}`);
  disk.apply({ type: "wrote", path: file, at: 0, bytes: Buffer.from(`${b}${b}`) });
  disk.apply({ type: "wrote", path: file, at: 1024, bytes: Buffer.from(c ?? "") });
  const zeros = "\0".repeat(512);
  const first = [`${a}${a}`, `${a}${b}`, `${b}${a}`, `${b}${b}`];
  expect(foundOver(disk)).toEqual(
    new Set(first.flatMap((found) => [found, `${found}${zeros}`, `${found}${c}`])),
  );
});

test("what a failed sync did not write is not written by a later one", () => {
  const disk = diskWith("a".repeat(5120));
  disk.apply({ type: "wrote", path: file, at: 0, bytes: Buffer.from("b".repeat(5120)) });
  disk.apply({ type: "sync_failed", path: file });
  disk.apply({ type: "synced", path: file });
  const [found, ...others] = foundOver(disk);
  expect(others).toEqual([]);
  expect(found).toMatch(/^(a{512}|b{512})+$/);
  expect(new Set(found)).toEqual(new Set(["a", "b"]));
});

test("a file that was made or removed is certain only after its folder was synced", () => {
  const disk = createDisk("/d", seeded(1, "disk"));
  disk.apply({ type: "created", path: file });
  disk.apply({ type: "wrote", path: file, at: 0, bytes: Buffer.from("x") });
  disk.apply({ type: "synced", path: file });
  expect(foundOver(disk)).toEqual(new Set([undefined, "x"]));
  disk.apply({ type: "synced", path: "/d" });
  expect(foundOver(disk)).toEqual(new Set(["x"]));
  disk.apply({ type: "removed", path: file });
  expect(foundOver(disk)).toEqual(new Set([undefined, "x"]));
});

test("a line of the trace is read to the byte, and one that is not understood is an error", () => {
  const written = `12 pwrite64(22</d/f>, "a\\"\\\\\\n\\0\\1774\\3777", 8, 56) = 8`;
  expect(readLine(written)).toEqual({
    type: "wrote",
    path: file,
    at: 56,
    bytes: Buffer.from([97, 34, 92, 10, 0, 127, 52, 255]),
  });
  expect(readLine(`12 fsync(22</d/f>) = ?`)).toEqual({ type: "sync_failed", path: file });
  expect(readLine(`12 unlink("/d/f") = -1 ENOENT (No such file or directory)`)).toBeUndefined();
  expect(() => readLine(`12 pwrite64(22</d/f>, "a"..., 4096, 0) = 4096`)).toThrow("not understood");
  expect(() => readLine(`12 fallocate(22</d/f>, 0, 0, 4096) = 0`)).toThrow("not understood");
});
