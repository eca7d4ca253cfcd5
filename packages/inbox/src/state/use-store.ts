import { useSyncExternalStore } from "react";
import type { Store } from "./store.ts";

/** The current value of a store; the component renders again when it changes. */
export function useStore<T>(store: Pick<Store<T>, "get" | "subscribe">): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}
