import { type Store, createStore } from "../state/store.ts";

/** The languages the inbox is written in. */
export type Language = "en" | "zh-CN";

/** Where a choice is remembered: the part of `localStorage` that is used. */
export type LanguageMemory = Pick<Storage, "getItem" | "setItem">;

const key = "holdpoint.language";

/** A store that starts with the remembered language, else the first preferred one we have, else English. */
export function createLanguageStore(options: {
  readonly preferred: readonly string[];
  readonly storage: LanguageMemory | undefined;
}): Store<Language> {
  const store = createStore(remembered(options.storage) ?? chooseLanguage(options.preferred));
  return {
    ...store,
    set(language) {
      store.set(language);
      remember(options.storage, language);
    },
  };
}

/** The first of a browser's preferred languages that the inbox is written in; English when there is none. */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const [primary] = tag.toLowerCase().split("-");
    if (primary === "zh") return "zh-CN";
    if (primary === "en") return "en";
  }
  return "en";
}

// Storage may be switched off in a browser; the page then works without memory.
function remembered(storage: LanguageMemory | undefined): Language | undefined {
  try {
    const value = storage?.getItem(key);
    return value === "en" || value === "zh-CN" ? value : undefined;
  } catch {
    return undefined;
  }
}

function remember(storage: LanguageMemory | undefined, language: Language): void {
  try {
    storage?.setItem(key, language);
  } catch {
    // See above.
  }
}
