import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** What a proxy does with bytes for the server: passes on what it gives, or cuts the connection. */
export type Pass = (bytes: Buffer, cut: (when: "now" | "answered") => void) => Buffer;

/** Bytes from the server as a pooler's clients see them: the process number of its greeting is another. */
export function likePooler(bytes: Buffer): Buffer {
  const key = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12])); // BackendKeyData
  if (key !== -1) bytes.writeInt32BE(bytes.readInt32BE(key + 5) + 1, key + 5);
  return bytes;
}

/** A way to the server of an address through a proxy of the test's own; gives the address to use. */
export async function startProxy(
  address: string,
  pass: Pass,
  passBack: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<string> {
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
    server.on("data", (bytes) => void (isCut ? client.destroy() : client.write(passBack(bytes))));
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
