import type { DraftStorage } from "@holdpoint/client";

/** Keeps choices that were not sent in this browser tab, so that they survive a reload. */
export const tabDrafts: DraftStorage = {
  load: (id) => {
    try {
      return JSON.parse(sessionStorage.getItem(keyOf(id)) ?? "null");
    } catch {
      return undefined; // storage may be switched off, and anything may stand in it
    }
  },
  save: (id, draft) => {
    try {
      if (draft === undefined) sessionStorage.removeItem(keyOf(id));
      else sessionStorage.setItem(keyOf(id), JSON.stringify(draft));
    } catch {
      // Without storage, or when it is full, a reload loses the choice and nothing else.
    }
  },
};

function keyOf(id: string): string {
  return `holdpoint.draft.${id}`;
}
