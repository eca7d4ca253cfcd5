import { randomUUID } from "node:crypto";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import { conversationIn } from "./conversation.ts";
import { languageOf } from "./language.ts";
import { nextStep } from "./next-step.ts";
import { clarifyReply, helpReply, intentReply, reportReply } from "./replies.ts";
import type { ToolRequest } from "./tool-request.ts";

type Turn = { readonly text: string; readonly requests: readonly ToolRequest[] };

/**
 * A chat model that is no AI: a few rules that understand a few kinds of requests, so that the
 * quickstart runs without a key. Given the same messages it does the same; nothing is kept
 * between calls.
 */
export class RuleModel extends BaseChatModel {
  constructor() {
    super({});
  }

  override _llmType(): string {
    return "rules";
  }

  /** The rules know the quickstart's tools; which ones are bound makes no difference. */
  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const { text, requests } = turnAfter(messages);
    const calls = requests.map(({ name, args }) => {
      return { type: "tool_call" as const, id: `call_${randomUUID()}`, name, args: { ...args } };
    });
    const message = new AIMessage({ content: text, tool_calls: calls });
    return { generations: [{ text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { text, requests } = turnAfter(messages);
    for (const piece of text.split(/(?<=\s)|(?<=[，。：；])/)) {
      const message = new AIMessageChunk({ content: piece });
      const chunk = new ChatGenerationChunk({ text: piece, message });
      yield chunk;
      await runManager?.handleLLMNewToken(piece, undefined, undefined, undefined, undefined, {
        chunk,
      });
    }
    if (requests.length === 0) return;
    const chunks = requests.map(({ name, args }, index) => {
      const id = `call_${randomUUID()}`;
      return {
        type: "tool_call_chunk" as const,
        id,
        name,
        args: JSON.stringify(args),
        index: index + 1,
      };
    });
    const message = new AIMessageChunk({ content: "", tool_call_chunks: chunks });
    yield new ChatGenerationChunk({ text: "", message });
  }
}

function turnAfter(messages: readonly BaseMessage[]): Turn {
  const conversation = conversationIn(messages);
  const language = languageOf(conversation.request);
  const step = nextStep(conversation);
  switch (step.type) {
    case "start":
    case "adjust":
      return { text: intentReply(step, language), requests: step.requests };
    case "clarify":
      return { text: clarifyReply(step.doubts, language), requests: [] };
    case "report": {
      const isUnderstood = conversation.rounds.length > 0;
      return {
        text: isUnderstood ? reportReply(conversation, language) : helpReply(language),
        requests: [],
      };
    }
    default:
      return step satisfies never;
  }
}
