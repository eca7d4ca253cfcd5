/** Those who want to be called back. */
export type Listeners<Value> = {
  /** Adds one; returns a function that removes it. */
  readonly add: (listener: (value: Value) => void) => () => void;
  readonly tell: (value: Value) => void;
};

/** Creates a list of listeners; it is empty. */
export function createListeners<Value>(): Listeners<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (value) => listeners.forEach((listener) => listener(value)),
  };
}
