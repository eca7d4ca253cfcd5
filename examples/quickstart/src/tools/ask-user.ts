import { tool } from "langchain";
import { z } from "zod";

const schema = z.object({
  question: z.string().min(1).describe("The question in full. / 完整的问题。"),
});

/**
 * The `ask_user` tool: a question that only a person answers. The policy allows nothing but
 * `respond`, and an answer takes the place of the tool's result, so the body never runs.
 */
export function askUserTool() {
  return tool(
    (): string => {
      throw new Error("ask_user was run, but it can only be answered by a person.");
    },
    {
      name: "ask_user",
      description: "Asks the user a question and waits for the answer.",
      schema,
    },
  );
}
