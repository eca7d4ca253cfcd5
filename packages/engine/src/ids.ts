import { randomBytes, randomUUID } from "node:crypto";

/** A new id with its prefix. */
export function newId<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
  return `${prefix}_${randomUUID().replaceAll("-", "")}`;
}

/** A secret of 256 bits for links and sessions, safe in an address. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
