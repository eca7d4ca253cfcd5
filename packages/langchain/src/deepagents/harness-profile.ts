import { getHarnessProfile, type HarnessProfile } from "deepagents";

/** The providers whose chat models deepagents knows by the name of their class. */
const providers = new Map([
  ["ChatAnthropic", "anthropic"],
  ["ChatOpenAI", "openai"],
  ["ChatGoogleGenerativeAI", "google"],
]);

/** The profile that deepagents picks for a model, by its name or, of an instance, by what it says of itself. */
export function profileOf(model: unknown): HarnessProfile | undefined {
  if (typeof model === "string") return getHarnessProfile(model);
  const { provider, id } = namesOf(model);
  const keys = [
    provider !== undefined && id !== undefined && !id.includes(":")
      ? `${provider}:${id}`
      : undefined,
    id?.includes(":") === true ? id : undefined,
    provider,
  ];
  for (const key of keys) {
    const profile = key === undefined ? undefined : getHarnessProfile(key);
    if (profile !== undefined) return profile;
  }
  return undefined;
}

function namesOf(model: unknown): { readonly provider?: string; readonly id?: string } {
  const fields = (model ?? {}) as Record<string, unknown>; // any chat model
  const name = typeof fields["getName"] === "function" ? String(fields["getName"].call(model)) : "";
  const isConfigurable = name === "ConfigurableModel";
  const defaults = (isConfigurable ? fields["_defaultConfig"] : undefined) as
    Record<string, unknown> | undefined;
  const provider = isConfigurable ? defaults?.["modelProvider"] : providers.get(name);
  const id = defaults?.["model"] ?? fields["model_name"] ?? fields["modelName"];
  return {
    ...(typeof provider === "string" ? { provider } : {}),
    ...(typeof id === "string" ? { id } : {}),
  };
}
