import { onTestFinished } from "vitest";
import { openProxy, type Pass } from "./proxy.ts";

/** Bytes from the server as a pooler's clients see them: the process number of its greeting is another. */
export function likePooler(bytes: Buffer): Buffer {
  const key = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12])); // BackendKeyData
  if (key !== -1) bytes.writeInt32BE(bytes.readInt32BE(key + 5) + 1, key + 5);
  return bytes;
}

/** A way to the server of an address through a proxy that goes with the test; gives the address to use. */
export async function startProxy(
  address: string,
  pass: Pass,
  passBack?: (bytes: Buffer) => Buffer,
): Promise<string> {
  const { address: through, close } = await openProxy(address, pass, passBack);
  onTestFinished(close);
  return through;
}
