import { randomBytes, randomUUID } from "node:crypto";

/**
 * A new id with its prefix: 32 hexadecimal digits, of which the first 12 are the time in milliseconds. What
 * is written together so stands together in every index, however many rows there are. It is no secret.
 */
export function newId<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${prefix}_${time}${randomUUID().replaceAll("-", "").slice(12)}`;
}

/** A secret of 256 bits for links and sessions, safe in an address. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
