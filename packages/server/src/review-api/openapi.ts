import {
  decideRequestSchema,
  errorTable,
  type JsonObject,
  reviewPageSchema,
  reviewViewSchema,
} from "@holdpoint/core";
import { z } from "zod";
import { listQuerySchema } from "./list-query.ts";

const errorSchema = z.object({
  error: z.object({
    code: z.enum(Object.keys(errorTable) as [string, ...string[]]), // the table is never empty
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
});

/** The OpenAPI 3.1 document of the review API, made from the same schemas that read the requests. */
export function openApiDocument(): JsonObject {
  return {
    openapi: "3.1.0",
    info: {
      title: "Holdpoint review API",
      version: "1",
      description:
        "List, read and decide reviews. Sign in with the session cookie of the one-time link.",
    },
    paths: {
      "/api/reviews": {
        get: {
          operationId: "listReviews",
          summary: "List open or settled reviews, a page at a time",
          parameters: queryParameters(),
          responses: { "200": json(schemaOf(reviewPageSchema)), default: refusal() },
        },
      },
      "/api/reviews/{id}": {
        get: {
          operationId: "getReview",
          summary: "Read one review",
          parameters: [reviewId()],
          responses: { "200": json(schemaOf(reviewViewSchema)), default: refusal() },
        },
      },
      "/api/reviews/{id}/decisions": {
        post: {
          operationId: "decide",
          summary: "Decide actions of a review by id: all of them or, with a refusal, none",
          parameters: [reviewId(), idempotencyKey()],
          requestBody: { required: true, ...json(schemaOf(decideRequestSchema, "input")) },
          responses: { "200": json(schemaOf(reviewViewSchema)), default: refusal() },
        },
      },
    },
  };
}

function schemaOf(schema: z.ZodType, io: "input" | "output" = "output"): JsonObject {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return JSON.parse(JSON.stringify(plain)) as JsonObject; // a JSON Schema is a JSON object
}

function queryParameters(): JsonObject[] {
  const { properties } = schemaOf(listQuerySchema, "input");
  return Object.entries(properties as JsonObject).map(([name, schema]) => ({
    name,
    in: "query",
    schema,
  })); // an object schema has them
}

function reviewId(): JsonObject {
  return { name: "id", in: "path", required: true, schema: { type: "string" } };
}

function idempotencyKey(): JsonObject {
  return {
    name: "Idempotency-Key",
    in: "header",
    description: "The same request with the same key gets the first reply again, for a week.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  };
}

function json(schema: JsonObject): JsonObject {
  return { description: "OK", content: { "application/json": { schema } } };
}

function refusal(): JsonObject {
  return {
    ...json(schemaOf(errorSchema)),
    description: "Refused: what happened, to which id, and what to do next",
  };
}
