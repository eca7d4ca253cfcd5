/** State outside any framework, in the shape that React's `useSyncExternalStore` reads. */
export type Store<State, Event> = {
  readonly getSnapshot: () => State;
  /** Calls back after every change; returns how to stop. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly send: (event: Event) => void;
};

/** A store whose state changes only through a pure reducer. Listeners hear of real changes only. */
export function createStore<State, Event>(
  reduce: (state: State, event: Event) => State,
  initial: State,
): Store<State, Event> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    getSnapshot: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: (event) => {
      const next = reduce(state, event);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
  };
}
