import type { Client } from "@holdpoint/client";
import type { Reviewer } from "@holdpoint/core";
import { type Store, createStore } from "../state/store.ts";

/**
 * Whether somebody is signed in.
 * checking → signed_in | signed_out | unreachable; a one-time link leads through entering;
 * any later answer that nobody is signed in leads back to signed_out.
 */
export type Session =
  | { readonly status: "checking" }
  | { readonly status: "entering" }
  | { readonly status: "signed_in"; readonly reviewer: Reviewer }
  | { readonly status: "signed_out"; readonly because: "no_session" | "link_refused" }
  | { readonly status: "unreachable" };

/** The session of this page. */
export type SessionStore = Pick<Store<Session>, "get" | "subscribe"> & {
  /** Asks the server who is signed in. */
  readonly check: () => Promise<void>;
  /** Trades the token of a one-time link for a session. */
  readonly enter: (token: string) => Promise<void>;
  /** To be called when the server answered that nobody is signed in. */
  readonly signedOut: () => void;
};

/** Makes the session store; nothing is asked before `check` or `enter`. */
export function createSessionStore(client: Pick<Client, "session" | "enter">): SessionStore {
  const store = createStore<Session>({ status: "checking" });
  const signedOut = (because: "no_session" | "link_refused"): void =>
    store.set({ status: "signed_out", because });

  async function check(otherwise: "no_session" | "link_refused"): Promise<void> {
    const reply = await client.session();
    if (reply.type === "ok") store.set({ status: "signed_in", reviewer: reply.value.reviewer });
    else if (reply.type === "refused" && reply.refusal.code === "unauthorized") {
      signedOut(otherwise);
    } else store.set({ status: "unreachable" });
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    check() {
      store.set({ status: "checking" });
      return check("no_session");
    },
    async enter(token) {
      store.set({ status: "entering" });
      const reply = await client.enter(token);
      if (reply.type === "ok") store.set({ status: "signed_in", reviewer: reply.value.reviewer });
      // A used link opened once more by somebody who is signed in is no reason to keep them out.
      else if (reply.type === "refused") await check("link_refused");
      else store.set({ status: "unreachable" });
    },
    signedOut: () => signedOut("no_session"),
  };
}
