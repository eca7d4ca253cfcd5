import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServer } from "./harness/server-process.ts";

test("npm start answers on its port, and starts again on the same data after a power cut", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "holdpoint-start-"));
  try {
    const first = await startServer({ dataFolder });
    expect((await fetch(first.url)).status).toBe(200);
    expect(first.link.startsWith(`${first.url}/#/enter/`)).toBe(true);
    await first.kill9();
    await expect(fetch(first.url)).rejects.toThrow();

    const second = await startServer({ dataFolder });
    expect((await fetch(second.url)).status).toBe(200);
    expect(second.link).not.toBe(first.link);
    await second.stop();
    await expect(fetch(second.url)).rejects.toThrow();
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
});
