import { createHash } from "node:crypto";
import type { Reviewer } from "@holdpoint/core";
import { later } from "./clock.ts";
import { newSecret } from "./ids.ts";
import type { Storage } from "./storage/storage.ts";

/** How long a one-time link and a session hold, in milliseconds. */
const linkFor = 24 * 60 * 60 * 1000;
const sessionFor = 30 * linkFor;

/** Who may come in: one-time links and the sessions they open. Only hashes of secrets are stored. */
export type Access = {
  /** A secret for a one-time link that lets this reviewer in. */
  readonly createLink: (reviewer: Reviewer) => Promise<string>;
  /** Trades a link's secret for a session's; `undefined` when it was used, has expired or never was. */
  readonly enter: (
    linkSecret: string,
  ) => Promise<{ readonly sessionSecret: string; readonly reviewer: Reviewer } | undefined>;
  readonly reviewerOf: (sessionSecret: string) => Promise<Reviewer | undefined>;
};

/** Creates the access service over a storage. */
export function createAccess(storage: Storage): Access {
  return {
    createLink: (reviewer) =>
      storage.write(async (writing) => {
        const secret = newSecret();
        await writing.saveReviewer(reviewer);
        await writing.insertApiKey({
          hash: hashOf(secret),
          purpose: "link",
          reviewer,
          expiresAt: later(writing.now, linkFor),
        });
        return secret;
      }),
    enter: (linkSecret) =>
      storage.write(async (writing) => {
        const link = await writing.findApiKey(hashOf(linkSecret), "link");
        if (link === undefined || !(await writing.useApiKey(link.hash))) return undefined;
        const sessionSecret = newSecret();
        await writing.insertApiKey({
          hash: hashOf(sessionSecret),
          purpose: "session",
          reviewer: link.reviewer,
          expiresAt: later(writing.now, sessionFor),
        });
        return { sessionSecret, reviewer: link.reviewer };
      }),
    reviewerOf: async (sessionSecret) =>
      (await storage.read((reading) => reading.findApiKey(hashOf(sessionSecret), "session")))
        ?.reviewer,
  };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
