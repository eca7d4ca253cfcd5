import { jsonObjectSchema } from "@holdpoint/core";
import { z } from "zod";

/**
 * The commands of LangGraph's streaming protocol v2 that the `useStream` hooks send over HTTP, in the
 * spelling of the shipped SDK (snake_case).
 */
/** What a person may say: anything else in an input could forge a call or its result. */
const humanMessageSchema = z.object({
  type: z.enum(["human", "user"]),
  content: z.union([z.string(), z.array(jsonObjectSchema)]),
  id: z.string().min(1).max(200).optional(),
});

export const runStartSchema = z.object({
  assistant_id: z.string().min(1),
  input: z.strictObject({ messages: z.array(humanMessageSchema).min(1).max(100) }).nullable(),
});

const oneAnswer = z.object({ interrupt_id: z.string().min(1), response: z.unknown() });

export const inputRespondSchema = z.union([
  z.object({
    responses: z.array(oneAnswer).min(1),
    update: z.unknown().optional(),
    goto: z.unknown().optional(),
  }),
  oneAnswer
    .extend({ update: z.unknown().optional(), goto: z.unknown().optional() })
    .transform(({ update, goto, ...one }) => ({
      responses: [one],
      update,
      goto,
    })),
]);

/** A command before its parameters are read. */
export const commandSchema = z.object({
  id: z.union([z.number(), z.string()]),
  method: z.string(),
  params: z.unknown().optional(),
});

export type Command = z.infer<typeof commandSchema>;
export type HumanMessage = z.infer<typeof humanMessageSchema>;
export type InputRespond = z.infer<typeof inputRespondSchema>;

/** The protocol's error codes that we use. */
export type ProtocolError =
  | "invalid_argument"
  | "unknown_command"
  | "unknown_error"
  | "no_such_interrupt"
  | "no_such_run"
  | "permission_denied"
  | "not_supported";

/** What a command came to. */
export type CommandResult =
  | { readonly type: "success"; readonly result: Readonly<Record<string, unknown>> }
  | { readonly type: "error"; readonly error: ProtocolError; readonly message: string };

/** A refused command. */
export function commandError(error: ProtocolError, message: string): CommandResult {
  return { type: "error", error, message };
}
