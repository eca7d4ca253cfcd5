import type { Context } from "hono";
import type { Refusal } from "@holdpoint/core";
import type { z } from "zod";

/** The largest body a route reads, in bytes. */
export const bodyLimit = 1_048_576;

/** Stands for a body whose client went away while sending it. */
const cutOff = Symbol("cut off");

/** A body that was read, or why it was not. */
export type Read<Value> =
  | { readonly type: "read"; readonly value: Value }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** Reads a JSON body of at most 1 MB through a schema. */
export async function readJson<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<Read<z.infer<Schema>>> {
  const text = await readText(context).catch((): typeof cutOff => cutOff);
  if (text === cutOff) {
    return refused({
      code: "invalid_request",
      message: "The request ended before its body was complete; send it again.",
    });
  }
  if (text === undefined) {
    return refused({
      code: "body_too_large",
      message: `The request body is larger than ${bodyLimit} bytes; send less.`,
      details: { limit: bodyLimit },
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused({
      code: "body_not_json",
      message: "The request body is not JSON; send a JSON object.",
    });
  }
  const read = schema.safeParse(value);
  if (read.success) return { type: "read", value: read.data };
  const issue = read.error.issues[0];
  const path = issue?.path.map(String).join(".") ?? "";
  return refused({
    code: "invalid_request",
    message: `The request body is not valid${path === "" ? "" : ` at "${path}"`}: ${issue?.message ?? "unknown problem"}. See /api/openapi.json for its form.`,
    details: { path },
  });
}

async function readText(context: Context): Promise<string | undefined> {
  const stream = context.req.raw.body;
  if (stream === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > bodyLimit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refused(refusal: Refusal): { readonly type: "refused"; readonly refusal: Refusal } {
  return { type: "refused", refusal };
}
