import { GENERAL_PURPOSE_SUBAGENT, type SubAgent } from "deepagents";
import { profileOf } from "./harness-profile.ts";

/**
 * The subagent that deepagents adds by itself, written out so that it gets a gate like any other;
 * `undefined` when the model's profile turns it off.
 */
export function generalPurpose(
  model: unknown,
): Pick<SubAgent, "name" | "description" | "systemPrompt" | "mode"> | undefined {
  const profile = profileOf(model);
  const config = profile?.generalPurposeSubagent;
  if (config?.enabled === false) return undefined;
  const prompt = [
    profile?.baseSystemPrompt ?? GENERAL_PURPOSE_SUBAGENT.systemPrompt,
    profile?.systemPromptSuffix,
  ];
  return {
    ...GENERAL_PURPOSE_SUBAGENT,
    description: config?.description ?? GENERAL_PURPOSE_SUBAGENT.description,
    systemPrompt:
      config?.systemPrompt ??
      prompt.filter((part) => part !== undefined && part !== "").join("\n\n"),
  };
}
