import { onTestFinished } from "vitest";
import { openProxy, type Pass } from "./proxy.ts";

/** A way to the server of an address through a proxy that goes with the test; gives the address to use. */
export async function startProxy(address: string, pass: Pass): Promise<string> {
  const { address: through, close } = await openProxy(address, pass);
  onTestFinished(close);
  return through;
}
