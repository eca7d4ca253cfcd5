import { z } from "zod";
import { isPlainJson, type JsonObject } from "../plain-json.ts";
import { jsonValueSchema } from "./decision.ts";

// Lazy, here and in the other contracts: a process that reads none does not wait for them to be built.
const optionSchema = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.looseObject({
      value: z.union([z.string(), z.number(), z.boolean()]),
      label: z.string().optional(),
    }),
  ]),
);

/** One field of a card. A type that is not known here takes any value, so that no card is unanswerable. */
const cardFieldSchema = z.lazy(() =>
  z.looseObject({
    name: z.string().min(1),
    label: z.string().optional(),
    description: z.string().optional(),
    type: z.string().optional(),
    required: z.boolean().optional(),
    options: z.array(optionSchema).min(1).optional(),
    default: jsonValueSchema.optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    minLength: z.number().int().nonnegative().optional(),
    maxLength: z.number().int().nonnegative().optional(),
  }),
);

type CardField = z.infer<typeof cardFieldSchema>;

/**
 * What a tool asks with `interrupt({ formType, title, context, fields })`: a form that a person fills in.
 * Keys that are not listed belong to whoever draws the card. v1.
 */
export const cardSchema = z.lazy(() =>
  z.looseObject({
    formType: z.string().min(1),
    title: z.string().optional(),
    context: jsonValueSchema.optional(),
    fields: z.array(cardFieldSchema).refine(namesDiffer, "two fields have the same name"),
  }),
);

/** A card that a tool shows to a person. */
export type Card = z.infer<typeof cardSchema>;

/** Reads an interrupt's value as a card, or `undefined` when it is none. */
export function readCard(value: unknown): Card | undefined {
  const read = cardSchema.safeParse(value);
  return read.success && isPlainJson(value) ? read.data : undefined;
}

/** The JSON Schema of a card's answer: an object with a value for each field that is filled in. */
export function answerSchemaOf(card: Card): JsonObject {
  return {
    type: "object",
    ...(card.title === undefined ? {} : { title: card.title }),
    properties: Object.fromEntries(card.fields.map((field) => [field.name, schemaOf(field)])),
    required: card.fields.filter((field) => field.required === true).map((field) => field.name),
    additionalProperties: false,
  };
}

function schemaOf(field: CardField): JsonObject {
  return {
    ...(field.label === undefined ? {} : { title: field.label }),
    ...(field.description === undefined ? {} : { description: field.description }),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...valueSchema(field),
  };
}

const textFormats: ReadonlyMap<string, string | undefined> = new Map([
  ["text", undefined],
  ["string", undefined],
  ["textarea", undefined],
  ["password", undefined],
  ["email", "email"],
  ["url", "uri"],
  ["date", "date"],
]);

function valueSchema(field: CardField): JsonObject {
  const type = field.type ?? (field.options === undefined ? "text" : "select");
  if (textFormats.has(type)) return textSchema(field, textFormats.get(type));
  switch (type) {
    case "number":
    case "integer":
      return { type, ...bounds({ minimum: field.min, maximum: field.max }) };
    case "boolean":
    case "checkbox":
    case "switch":
      return { type: "boolean" };
    case "select":
    case "radio":
      return choice(field);
    case "multiselect":
      return {
        type: "array",
        items: choice(field),
        uniqueItems: true,
        ...bounds({ minItems: field.required === true ? 1 : undefined }),
      };
    default:
      return {};
  }
}

/** A required text that is left empty is not filled in. */
function textSchema(field: CardField, format: string | undefined): JsonObject {
  const minLength = field.minLength ?? (field.required === true ? 1 : undefined);
  return {
    type: "string",
    ...(format === undefined ? {} : { format }),
    ...bounds({ minLength, maxLength: field.maxLength }),
  };
}

/** Values with a label each become constants with a title, which is how JSON Schema names them. */
function choice({ options }: CardField): JsonObject {
  if (options === undefined) return { type: "string" };
  const values = options.map((one) => (typeof one === "object" ? one.value : one));
  if (options.every((one) => typeof one !== "object" || one.label === undefined))
    return { enum: values };
  return {
    oneOf: options.map((one) =>
      typeof one === "object"
        ? { const: one.value, ...(one.label === undefined ? {} : { title: one.label }) }
        : { const: one },
    ),
  };
}

function bounds(limits: Readonly<Record<string, number | undefined>>): JsonObject {
  const given = Object.entries(limits).flatMap(([key, limit]) =>
    limit === undefined ? [] : [[key, limit] as const],
  );
  return Object.fromEntries(given);
}

function namesDiffer(fields: readonly CardField[]): boolean {
  return new Set(fields.map((field) => field.name)).size === fields.length;
}
