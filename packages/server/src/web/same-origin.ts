import type { MiddlewareHandler } from "hono";
import { refuse } from "./refusals.ts";

const localNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Keeps other web pages out: the address must be this machine's (a page cannot rebind its name to us),
 * and a change must come from our own origin.
 */
export const sameOrigin: MiddlewareHandler = async (context, next) => {
  const host = context.req.header("host") ?? "";
  if (!localNames.has(host.replace(/:\d+$/, ""))) {
    return refuse(context, {
      code: "unauthorized",
      message: "This server answers only under localhost; open it there.",
    });
  }
  const origin = context.req.header("origin");
  if (context.req.method !== "GET" && origin !== undefined && !isOwnOrigin(origin, host)) {
    return refuse(context, {
      code: "unauthorized",
      message:
        "A change was asked for by another web page and was refused; use Holdpoint's own pages.",
    });
  }
  return next();
};

function isOwnOrigin(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
