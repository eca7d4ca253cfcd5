import { createServer } from "node:http";
import { connect } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { startForTest } from "../testing/conversation.ts";
import { listen } from "./listen.ts";

test("an address with a broken escape, and a cursor that is none, are refused without a stack trace (T26)", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const one = await startForTest();
  expect((await one.request("/%E0%A4%A")).status).toBeOneOf([400, 503]);
  expect((await one.request("/threads/%E0%A4%A/state")).status).toBe(404);
  for (const query of ["cursor=abc", "status=settled&cursor=%23", "status=settled&cursor=1"]) {
    expect(await one.request(`/api/reviews?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", message: expect.stringContaining('"cursor"') } },
    });
  }
  expect(reported).not.toHaveBeenCalled();
  reported.mockRestore();
});

test("an upload that breaks off is no trouble of the server's", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const one = await startForTest();
  const socket = connect(one.server.port, "127.0.0.1");
  await once(socket, "connect");
  const head = `POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{}`;
  await new Promise((resolve) => socket.write(head, resolve));
  await one.request("/api/reviews");
  socket.destroy();
  await once(socket, "close");
  for (let turn = 0; turn < 5; turn += 1) await one.request("/api/reviews");
  expect(reported).not.toHaveBeenCalled();
  reported.mockRestore();
});

test("when the last port is taken, one sentence says so", async () => {
  const holder = createServer();
  holder.listen(65_535, "127.0.0.1");
  await once(holder, "listening");
  onTestFinished(() => void holder.close());
  await expect(listen(65_535)).rejects.toMatchObject({
    code: "port_taken",
    message: "The port 65535 is taken; name a free one with --port or PORT.",
  });
});
