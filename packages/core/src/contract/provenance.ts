import { z } from "zod";

/** The tool call of an outer agent inside which another agent runs. */
export const parentCallSchema = z.object({ toolCallId: z.string(), name: z.string() });
export type ParentCall = z.infer<typeof parentCallSchema>;

/** The fields that say which agent asked. An agent that no other one called has neither. */
export const provenanceFields = {
  /** Names from the outermost agent to the one that asks. */
  agentPath: z.array(z.string()).min(1).optional(),
  /** The call of the agent before it in the path. */
  parentCall: parentCallSchema.optional(),
};

/** Which agent asked: the path to it, and the call of the outer agent inside which it runs. */
export type Provenance = {
  readonly agentPath?: readonly string[];
  readonly parentCall?: ParentCall;
};

/** Exactly the provenance that a review, a payload or a view carries. */
export function provenanceOf({
  agentPath,
  parentCall,
}: {
  readonly agentPath?: readonly string[] | undefined;
  readonly parentCall?: ParentCall | undefined;
}): { agentPath?: string[]; parentCall?: ParentCall } {
  return {
    ...(agentPath === undefined ? {} : { agentPath: [...agentPath] }),
    ...(parentCall === undefined ? {} : { parentCall }),
  };
}
