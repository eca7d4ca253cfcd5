import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Reviewer } from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import { z } from "zod";
import { readJson } from "../web/read-json.ts";
import { refuse } from "../web/refusals.ts";

const cookieFor = 30 * 24 * 60 * 60;

/** What a request carries: the connection, and who asks once the session is known. */
export type RequestEnv = { Bindings: HttpBindings; Variables: { reviewer: Reviewer } };

/** Where sessions are kept, and the cookie that carries them. */
export type Sessions = {
  readonly engine: Engine;
  /** One of its own for each data folder: a browser sends cookies to every port of localhost. */
  readonly cookieName: string;
  /** Called after somebody signed in. */
  readonly entered: () => void;
};

const enterSchema = z.object({ token: z.string().min(1).max(200) });

/** Lets only requests with a session through, and says who it is. */
export function requireSession(sessions: Sessions): MiddlewareHandler<RequestEnv> {
  return async (context, next) => {
    const reviewer = await reviewerOf(sessions, context);
    if (reviewer === undefined) {
      return refuse(context, {
        code: "unauthorized",
        message:
          "You are not signed in; open the one-time link that the server printed when it started.",
      });
    }
    context.set("reviewer", reviewer);
    return next();
  };
}

/** Trades a one-time link for a session cookie, and says who is signed in. */
export function addSessionRoutes(app: Hono<RequestEnv>, sessions: Sessions): void {
  const { engine, cookieName, entered } = sessions;
  app.post("/api/session", async (context) => {
    const body = await readJson(context, enterSchema);
    if (body.type === "refused") return refuse(context, body.refusal);
    const session = await engine.access.enter(body.value.token);
    if (session === undefined) {
      return refuse(context, {
        code: "unauthorized",
        message:
          "This one-time link was used before or has expired; the server's terminal shows the next one.",
      });
    }
    entered();
    setCookie(context, cookieName, session.sessionSecret, {
      httpOnly: true,
      sameSite: "Strict",
      path: "/",
      maxAge: cookieFor,
    });
    return context.json({ reviewer: session.reviewer });
  });
  app.get("/api/session", requireSession(sessions), (context) =>
    context.json({ reviewer: context.get("reviewer") }),
  );
}

async function reviewerOf(
  { engine, cookieName }: Sessions,
  context: Context,
): Promise<Reviewer | undefined> {
  const secret = getCookie(context, cookieName);
  return secret === undefined ? undefined : engine.access.reviewerOf(secret);
}
