import { createServer, type Server } from "node:http";
import { HoldpointError } from "@holdpoint/core";

/** How many ports after the wanted one are tried. */
const portsToTry = 20;
const highestPort = 65_535;

/** A server that listens, and on which port. */
export type Listening = {
  readonly server: Server;
  readonly port: number;
  readonly wasTaken: boolean;
};

/** Listens on this machine only, on the wanted port or the next free one; port 0 takes any. */
export async function listen(wanted: number): Promise<Listening> {
  const last = Math.min(wanted + portsToTry, highestPort);
  for (let port = wanted; port <= last; port += 1) {
    const server = createServer();
    if (await tryPort(server, port)) {
      const address = server.address();
      const bound = typeof address === "object" && address !== null ? address.port : port;
      return { server, port: bound, wasTaken: wanted !== 0 && port !== wanted };
    }
  }
  throw new HoldpointError(
    "port_taken",
    `${last === wanted ? `The port ${wanted} is` : `The ports ${wanted} to ${last} are all`} taken; name a free one with --port or PORT.`,
  );
}

function tryPort(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false);
      else reject(error);
    });
    server.listen(port, "127.0.0.1", () => {
      server.removeAllListeners("error");
      resolve(true);
    });
  });
}
