import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

/** Writes the model's next message from the messages so far. */
export type Script = (messages: readonly BaseMessage[]) => AIMessage;

/** A chat model that says what its script says; it keeps every list of messages it was asked with. */
export class ScriptedModel extends BaseChatModel {
  readonly asked: BaseMessage[][] = [];
  readonly #script: Script;

  constructor(script: Script) {
    super({});
    this.#script = script;
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.asked.push(messages);
    const message = this.#script(messages);
    return { generations: [{ text: message.text, message }] };
  }
}

/** A script that asks for these calls after each human message and says "done" after their results. */
export function callsOnce(
  ...calls: { readonly name: string; readonly args: Record<string, unknown> }[]
): Script {
  return (messages) =>
    messages.at(-1)?.getType() === "human"
      ? new AIMessage({
          content: "",
          tool_calls: calls.map((call, index) => ({
            ...call,
            id: `call_${messages.length}_${index}`,
            type: "tool_call",
          })),
        })
      : new AIMessage("done");
}
