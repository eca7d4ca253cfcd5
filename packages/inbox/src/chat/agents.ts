import type { AgentSummary } from "@holdpoint/client";
import { client } from "../client.ts";
import { session } from "../session/session.ts";
import { useLanguage } from "../language/language.ts";
import { type Store, createStore } from "../state/store.ts";
import { useStore } from "../state/use-store.ts";

/** The agents a person can talk to. */
export type AgentsState =
  | { readonly status: "loading" }
  | { readonly status: "ready"; readonly agents: readonly AgentSummary[] }
  | { readonly status: "failed"; readonly message: string | undefined };

const store = createStore<AgentsState>({ status: "loading" });

/** The agents of this server; asked for once, again only after a failure. */
export const agents: Pick<Store<AgentsState>, "get" | "subscribe"> & {
  readonly load: () => Promise<void>;
} = {
  get: store.get,
  subscribe: store.subscribe,
  async load() {
    if (store.get().status === "ready") return;
    store.set({ status: "loading" });
    const reply = await client.agents();
    if (reply.type === "ok") store.set({ status: "ready", agents: reply.value.agents });
    else if (reply.type === "unreachable") store.set({ status: "failed", message: undefined });
    else if (reply.refusal.code === "unauthorized") session.signedOut();
    else store.set({ status: "failed", message: reply.refusal.message });
  },
};

/** An agent's title in the current language; its name until that is known. */
export function useAgentTitle(name: string): string {
  const state = useStore(agents);
  const language = useLanguage();
  if (state.status !== "ready") return name;
  return state.agents.find((agent) => agent.name === name)?.title[language] ?? name;
}
