import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import type { Hono } from "hono";
import type { RequestEnv } from "../access/session.ts";
import { refuse } from "./refusals.ts";

/** Beside the published server, or in the repository where the inbox was built. */
const places = ["../inbox/", "../../../inbox/dist/"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

const types: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".ico", "image/x-icon"],
]);

const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Serves the built inbox; every address that is not a file is a page of it. */
export function addInboxFiles(app: Hono<RequestEnv>): void {
  const folder = places.find((place) => existsSync(join(place, "index.html")));
  app.get("*", async (context) => {
    if (folder === undefined) {
      return context.text(
        "The inbox is not built; run npm install in the repository, or npm run build.",
        503,
      );
    }
    const path = readPath(context.req.path);
    if (path === undefined) {
      return refuse(context, {
        code: "invalid_request",
        message: "This address is not one: it holds a % that begins no character. Correct it.",
      });
    }
    const type = types.get(extname(path));
    const isAsset = type !== undefined && !path.includes("..") && existsSync(join(folder, path));
    const body = await readFile(isAsset ? join(folder, path) : join(folder, "index.html"));
    const caching = path.startsWith("/assets/")
      ? "public, max-age=31536000, immutable"
      : "no-store";
    return context.body(new Uint8Array(body), 200, {
      ...headers,
      "content-type": isAsset ? type : "text/html; charset=utf-8",
      "cache-control": caching,
    });
  });
}

function readPath(path: string): string | undefined {
  try {
    return normalize(decodeURIComponent(path));
  } catch {
    return undefined; // a broken escape
  }
}
