import type { Taken } from "./connect.ts";

/** So many looks are on one connection at most: one that takes long keeps few others waiting. */
const looksAtMost = 16;

type Shared = { readonly taken: Promise<Taken>; users: number; isGivenUp: boolean };

/**
 * Gives one connection to several who look at the same time: what they ask is on its way together, and is
 * answered in its order. It goes back to the pool when the last of them has released it.
 */
export function shareForLooks(take: () => Promise<Taken>): () => Promise<Taken> {
  let current: Shared | undefined;
  return async () => {
    current ??= { taken: take(), users: 0, isGivenUp: false };
    const shared = current;
    const leave = (): void => {
      if (current === shared) current = undefined;
    };
    shared.users += 1;
    if (shared.users === looksAtMost) leave();
    let taken: Taken;
    try {
      taken = await shared.taken;
    } catch (error) {
      leave();
      throw error;
    }
    return {
      ...taken,
      release: (broken) => {
        shared.isGivenUp ||= broken;
        shared.users -= 1;
        if (!broken && shared.users > 0) return;
        leave();
        if (shared.users === 0) taken.release(shared.isGivenUp);
      },
    };
  };
}
