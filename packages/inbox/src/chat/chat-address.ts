import { createStore } from "../state/store.ts";

/** The address of a conversation; of a new one without a thread. The first agent needs no naming. */
export function chatAddress(options: {
  readonly threadId: string | undefined;
  readonly agent: string;
  readonly firstAgent: string | undefined;
}): string {
  const { threadId, agent, firstAgent } = options;
  const path = threadId === undefined ? "/chat" : `/chat/${encodeURIComponent(threadId)}`;
  return agent === firstAgent ? path : `${path}?agent=${encodeURIComponent(agent)}`;
}

/** Where the header's link to the chat leads: back to the conversation that was open last. */
export const lastChat = createStore("/chat");
