import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** What a proxy does with bytes of a client for the server: passes on what it gives, or cuts the connection. */
export type Pass = (
  bytes: Buffer,
  cut: (when: "now" | "answered") => void,
  client: Socket,
) => Buffer;

/** A way to the server of an address through a proxy of the test's own. */
export type Proxy = { readonly address: string; readonly close: () => void };

/** Opens the way. */
export async function openProxy(
  address: string,
  pass: Pass,
  passBack: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<Proxy> {
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
      const cut = (when: "now" | "answered"): void => {
        isCut = true;
        if (when === "now") client.destroy();
      };
      const passed = pass(bytes, cut, client);
      if (!client.destroyed) server.write(passed);
    });
    // What was sent has its effect; only nobody hears of it.
    server.on("data", (bytes) => void (isCut ? client.destroy() : client.write(passBack(bytes))));
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const place = proxy.address();
  if (place === null || typeof place === "string") throw new Error("a proxy has a port");
  const url = new URL(address);
  url.host = `127.0.0.1:${place.port}`;
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  };
  return { address: url.href, close };
}
