import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { messagesOf, startForTest, startRun, waitUntilIdle } from "../testing/conversation.ts";
import type { TestServer } from "../testing/test-server.ts";

async function openStream(one: TestServer): Promise<Response> {
  return fetch(`${one.server.url}/threads/t1/stream/events`, {
    method: "POST",
    headers: { cookie: one.cookie },
    body: "{}",
  });
}

async function finishedThread(): Promise<{ one: TestServer; raw: DatabaseSync }> {
  const one = await startForTest({ free: true });
  await startRun(one, "t1");
  await vi.waitFor(async () => expect(await messagesOf(one, "t1")).toHaveLength(4), 5_000);
  await waitUntilIdle(one, "t1");
  const raw = new DatabaseSync(join(one.dataFolder, "holdpoint.db"), { timeout: 5_000 });
  await vi.waitFor(() =>
    expect(raw.prepare("SELECT status FROM runs").get()?.["status"]).toBe("completed"),
  );
  return { one, raw };
}

test("a replay that is larger than what may pile up arrives whole, however slowly it is read (H6, T10)", async () => {
  const { one, raw } = await finishedThread();
  const run = String(raw.prepare("SELECT run_id FROM run_events").get()?.["run_id"]);
  const last = Number(raw.prepare("SELECT max(seq) AS seq FROM run_events").get()?.["seq"]);
  const add = raw.prepare(
    "INSERT INTO run_events (thread_id, seq, run_id, method, compact, body) VALUES ('t1', ?, ?, 'values', 1, ?)",
  );
  const text = "y".repeat(1_000_000);
  for (let number = 1; number <= 12; number += 1)
    add.run(
      last + number,
      run,
      JSON.stringify({ params: { namespace: [], data: { text, number } } }),
    );
  raw.exec(`UPDATE threads SET last_seq = ${last + 12}`);
  raw.close();
  let size = 0;
  let tail = "";
  const response = await openStream(one);
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    tail = (tail + Buffer.from(chunk).toString("latin1")).slice(-100);
    if (tail.includes('"number":12')) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(size).toBeGreaterThan(12_000_000);
});

test("a stream whose replay cannot be read is cut, so that the client tries again (H6)", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { one, raw } = await finishedThread();
  raw.exec("UPDATE run_events SET body = '{'");
  raw.close();
  const received = openStream(one).then((response) => response.text());
  await expect(received).rejects.toThrow();
  expect(reported.mock.calls.map(String)).toEqual([
    expect.stringMatching(/^A stream of thread t1 was cut: [^\n]*\.$/),
  ]);
  reported.mockRestore();
});
