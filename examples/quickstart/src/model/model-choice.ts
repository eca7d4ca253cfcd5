/** Which model answers, decided from environment variables alone. */
export type ModelChoice =
  | { readonly type: "built-in"; readonly notice: Translated }
  | {
      readonly type: "provider";
      readonly name: string;
      readonly provider: Provider;
      readonly model: string;
      readonly apiKey: string;
    };

/** A text in the two languages of the product. */
export type Translated = { readonly en: string; readonly "zh-CN": string };

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The providers that are installed with the quickstart. */
type Provider = "openai" | "anthropic" | "deepseek";

const KEYS = new Map<string, { readonly provider: Provider; readonly variable: string }>([
  ["openai", { provider: "openai", variable: "OPENAI_API_KEY" }],
  ["anthropic", { provider: "anthropic", variable: "ANTHROPIC_API_KEY" }],
  ["deepseek", { provider: "deepseek", variable: "DEEPSEEK_API_KEY" }],
]);

/**
 * Reads `MODEL` ("openai:gpt-5", "anthropic:…", "deepseek:…") and the key it needs. Without either,
 * the built-in rules answer and the notice says so. An unknown provider is an error.
 */
export function modelChoice(env: Environment): ModelChoice {
  const name = env["MODEL"]?.trim() ?? "";
  if (name === "") return { type: "built-in", notice: NOT_AN_AI };
  const [prefix = "", ...rest] = name.split(":");
  const known = KEYS.get(prefix);
  const model = rest.join(":");
  if (!known || model === "") {
    throw new Error(
      `MODEL is "${name}", but it has to be "openai:…", "anthropic:…" or "deepseek:…", followed by the name of a model.`,
    );
  }
  const apiKey = env[known.variable]?.trim() ?? "";
  if (apiKey === "") return { type: "built-in", notice: withoutKey(name, known.variable) };
  return { type: "provider", name, provider: known.provider, model, apiKey };
}

const NOT_AN_AI: Translated = {
  en: "The assistant you are talking to is not an AI. It is a small set of built-in rules that understands the requests listed here. To use a real model, set MODEL and the provider's key.",
  "zh-CN":
    "现在回答你的不是 AI，而是一小组内置规则，只听得懂这里列出的几类请求。想换成真正的模型，请设置环境变量 MODEL 和相应的密钥。",
};

function withoutKey(name: string, variable: string): Translated {
  return {
    en: `MODEL is set to ${name}, but ${variable} is not set. Until it is, the assistant is not an AI: it is a small set of built-in rules that understands the requests listed here.`,
    "zh-CN": `MODEL 已设为 ${name}，但没有设置 ${variable}。在补上之前，回答你的不是 AI，而是一小组内置规则，只听得懂这里列出的几类请求。`,
  };
}
