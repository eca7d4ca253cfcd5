import { Hono } from "hono";
import {
  addSessionRoutes,
  requireSession,
  type RequestEnv,
  type Sessions,
} from "./access/session.ts";
import { addProtocolRoutes, announceAnswered, type ProtocolParts } from "./protocol/routes.ts";
import { addReviewRoutes } from "./review-api/routes.ts";
import { addInboxFiles } from "./web/inbox-files.ts";
import { refuse, refuseError } from "./web/refusals.ts";
import { sameOrigin } from "./web/same-origin.ts";

/** Every route of the server. Routes parse, call and answer; they decide nothing. */
export function createApp(parts: ProtocolParts, sessions: Sessions): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  app.onError((error, context) => refuseError(context, error));
  app.use(sameOrigin);
  // Where LangGraph's own servers answer, so that whatever watches those can watch this one. Needs no session.
  app.get("/ok", async (context) => {
    const health = await parts.engine.health();
    return health.status === "well"
      ? context.json({ ok: true, warning: health.warning })
      : refuse(context, { code: "database_unwell", message: health.why });
  });
  addSessionRoutes(app, sessions);
  app.use("/api/*", requireSession(sessions));
  app.use("/threads/*", requireSession(sessions));

  app.get("/api/agents", (context) =>
    context.json({
      agents: [...parts.agents.values()].map(({ name, config, ...agent }) => ({
        name,
        title: config.title,
        notice:
          agent.status === "failed"
            ? { en: agent.error.message, "zh-CN": agent.error.message }
            : config.notice,
        suggestions: config.suggestions,
      })),
    }),
  );
  addReviewRoutes(app, parts.engine, async (review) =>
    announceAnswered(parts, review.threadId, [review.interruptId]),
  );
  addProtocolRoutes(app, parts);
  app.all("/api/*", (context) =>
    refuse(context, {
      code: "not_found",
      message: `There is nothing at ${context.req.path}; see /api/openapi.json.`,
    }),
  );
  addInboxFiles(app);
  return app;
}
