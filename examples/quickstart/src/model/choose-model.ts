import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type Environment, modelChoice, type Translated } from "./model-choice.ts";

/** The model that answers, and what the person in front of it should know about it. */
export type ChosenModel = {
  readonly model: BaseChatModel;
  readonly name: string;
  readonly builtIn: boolean;
  readonly notice?: Translated;
};

/**
 * Makes the model that `MODEL` names, or the built-in rules without it or without its key (see
 * `modelChoice`). `OPENAI_BASE_URL` points `openai:…` to any endpoint that speaks the same protocol.
 * Only the code of the chosen model is loaded.
 */
export async function chooseModel(env: Environment): Promise<ChosenModel> {
  const choice = modelChoice(env);
  if (choice.type === "built-in") {
    const { RuleModel } = await import("./rule-model.ts");
    return { model: new RuleModel(), name: "built-in rules", builtIn: true, notice: choice.notice };
  }
  const { initChatModel } = await import("langchain/chat_models/universal");
  const baseUrl = choice.provider === "openai" ? env["OPENAI_BASE_URL"] : undefined;
  const model = await initChatModel(choice.model, {
    modelProvider: choice.provider,
    apiKey: choice.apiKey,
    // A person is waiting: two retries take seconds, the default six take more than a minute.
    maxRetries: 2,
    ...(baseUrl ? { configuration: { baseURL: baseUrl } } : {}),
  });
  return { model, name: choice.name, builtIn: false };
}
