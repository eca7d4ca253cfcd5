import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { HoldpointError } from "@holdpoint/core";
import { messageOf } from "../error-message.ts";

/** A key pair that seals; the public half as seals name it. */
export type SigningKey = { readonly privateKey: KeyObject; readonly publicKey: string };

/** Writes a new Ed25519 key (PKCS#8 PEM, mode 0600) and its public half beside it, as `file.pub`; never over another. */
export function createKeyFile(file: string): { readonly publicFile: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const publicFile = `${file}.pub`;
  try {
    // Before either is written: a private key whose public half is another's would be left behind.
    for (const one of [file, publicFile])
      if (existsSync(one)) throw new Error(`${one} exists already`);
    writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), {
      flag: "wx",
      mode: 0o600,
    });
    writeFileSync(publicFile, publicKey.export({ type: "spki", format: "pem" }), { flag: "wx" });
  } catch (cause) {
    throw new HoldpointError(
      "config_invalid",
      `The key could not be written to ${file} (${messageOf(cause)}); name files that do not exist yet, in a folder that can be written.`,
      { cause },
    );
  }
  return { publicFile };
}

/** Reads the key that seals. Throws `config_invalid` when the file holds no Ed25519 private key. */
export function readSigningKey(file: string): SigningKey {
  try {
    const privateKey = ed25519(createPrivateKey(readFileSync(file)));
    return { privateKey, publicKey: textOf(createPublicKey(privateKey)) };
  } catch (cause) {
    throw unreadable(file, "private", cause);
  }
}

/** Reads a public key, as seals name it. Throws `config_invalid` when the file holds none. */
export function readPublicKey(file: string): string {
  try {
    return textOf(ed25519(createPublicKey(readFileSync(file))));
  } catch (cause) {
    throw unreadable(file, "public", cause);
  }
}

/** The key that a seal names, or `undefined` when it is no Ed25519 key. */
export function publicKeyFrom(text: string): KeyObject | undefined {
  try {
    const bytes = Buffer.from(text, "base64");
    return ed25519(createPublicKey({ key: bytes, format: "der", type: "spki" }));
  } catch {
    return undefined;
  }
}

/** A short name for a public key, to compare by eye. */
export function fingerprintOf(publicKey: string): string {
  return createHash("sha256").update(publicKey).digest("hex").slice(0, 16);
}

function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== "ed25519")
    throw new TypeError(`it is of type ${key.asymmetricKeyType}`);
  return key;
}

function textOf(publicKey: KeyObject): string {
  return publicKey.export({ type: "spki", format: "der" }).toString("base64");
}

function unreadable(file: string, half: string, cause: unknown): HoldpointError {
  return new HoldpointError(
    "config_invalid",
    `${file} holds no Ed25519 ${half} key (${messageOf(cause)}); "holdpoint audit keygen" makes a pair.`,
    { cause },
  );
}
