import { useStore } from "../state/use-store.ts";
import { type Language, type LanguageMemory, createLanguageStore } from "./language-store.ts";

export type { Language } from "./language-store.ts";
export { formatTime, formatWaited } from "./format-time.ts";

const store = createLanguageStore({
  preferred: typeof navigator === "undefined" ? [] : navigator.languages,
  storage: browserStorage(),
});

if (typeof document !== "undefined") {
  const mark = (): void => {
    document.documentElement.lang = store.get();
  };
  mark();
  store.subscribe(mark);
}

/** The language the page is in; the component renders again when it changes. */
export function useLanguage(): Language {
  return useStore(store);
}

/** Switches the whole page to a language and remembers it in this browser. */
export function setLanguage(language: Language): void {
  store.set(language);
}

/** Makes a hook that gives the texts of the current language. */
export function defineTexts<T>(texts: Record<Language, T>): () => T {
  return function useTexts(): T {
    return texts[useLanguage()];
  };
}

// Merely naming `localStorage` throws where a browser blocks site data.
function browserStorage(): LanguageMemory | undefined {
  try {
    return typeof localStorage === "undefined" ? undefined : localStorage;
  } catch {
    return undefined;
  }
}
