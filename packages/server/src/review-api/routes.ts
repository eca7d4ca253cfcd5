import type { Hono } from "hono";
import {
  decideRequestSchema,
  type Refusal,
  reviewIdSchema,
  reviewNotFound,
  type ReviewView,
} from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import type { z } from "zod";
import type { RequestEnv } from "../access/session.ts";
import { readJson } from "../web/read-json.ts";
import { refuse } from "../web/refusals.ts";
import { listQuerySchema } from "./list-query.ts";
import { openApiDocument } from "./openapi.ts";

/** Called after decisions were recorded, so that open pages hear of it. */
export type Decided = (review: ReviewView) => Promise<void>;

/** The review API: list, get, decide, and its OpenAPI document. */
export function addReviewRoutes(app: Hono<RequestEnv>, engine: Engine, decided: Decided): void {
  app.get("/api/openapi.json", (context) => context.json(openApiDocument()));

  app.get("/api/reviews", async (context) => {
    const query = listQuerySchema.safeParse(context.req.query());
    if (!query.success) return refuse(context, badQuery(query.error));
    const { cursor, ...rest } = query.data;
    return context.json(
      await engine.reviews.list({ ...rest, ...(cursor === undefined ? {} : { cursor }) }),
    );
  });

  app.get("/api/reviews/:id", async (context) => {
    const review = await findReview(engine, context.req.param("id"));
    return review === undefined
      ? refuse(context, reviewNotFound(context.req.param("id")))
      : context.json(review);
  });

  app.post("/api/reviews/:id/decisions", async (context) => {
    const body = await readJson(context, decideRequestSchema);
    if (body.type === "refused") return refuse(context, body.refusal);
    const id = reviewIdSchema.safeParse(context.req.param("id"));
    if (!id.success) return refuse(context, reviewNotFound(context.req.param("id")));
    const { decisions } = body.value;
    const key = context.req.header("idempotency-key");
    if (key !== undefined && !isKey(key)) return refuse(context, badKey);
    const result = await engine.decide({
      reviewId: id.data,
      decisions,
      reviewer: context.get("reviewer"),
      ...(key === undefined ? {} : { idempotencyKey: key }),
    });
    if (result.type === "refused") return refuse(context, result.refusal);
    const review = result.reply ?? (await findReview(engine, id.data));
    if (review === undefined) return refuse(context, reviewNotFound(id.data));
    if (!result.repeated) await decided(review);
    return context.json(review);
  });
}

async function findReview(engine: Engine, id: string): Promise<ReviewView | undefined> {
  const read = reviewIdSchema.safeParse(id);
  return read.success ? engine.reviews.view(read.data) : undefined;
}

/** Any text that fits a header and a table. */
function isKey(key: string): boolean {
  return key.length >= 1 && key.length <= 255;
}

const badKey: Refusal = {
  code: "invalid_request",
  message: `The header "Idempotency-Key" must have 1 to 255 characters, such as a UUID; nothing was changed.`,
};

function badQuery(error: z.ZodError): Refusal {
  const issue = error.issues[0];
  const key = issue?.path.map(String).join(".") ?? "";
  return {
    code: "invalid_request",
    message: `The query parameter "${key}" is not valid: ${issue?.message ?? ""}.`,
  };
}
