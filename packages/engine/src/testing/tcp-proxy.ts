import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** What a proxy does with bytes for the server: passes on what it gives, or cuts the connection. */
export type Pass = (bytes: Buffer, cut: (when: "now" | "answered") => void) => Buffer;

/** A way to the server of an address through a proxy of the test's own; gives the address to use. */
export async function startProxy(address: string, pass: Pass): Promise<string> {
  const { hostname, port } = new URL(address);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    let isCut = false;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on("data", (bytes) => {
      const passed = pass(bytes, (when) => {
        isCut = true;
        if (when === "now") client.destroy();
      });
      if (!client.destroyed) server.write(passed);
    });
    // What was sent has its effect; only nobody hears of it.
    server.on("data", (bytes) => void (isCut ? client.destroy() : client.write(bytes)));
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const place = proxy.address();
  if (place === null || typeof place === "string") throw new Error("a proxy has a port");
  const url = new URL(address);
  url.host = `127.0.0.1:${place.port}`;
  return url.href;
}
