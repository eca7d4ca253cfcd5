import { expect, test } from "vitest";
import { chooseLanguage, createLanguageStore, type LanguageMemory } from "./language-store.ts";

function memory(kept: Map<string, string>): LanguageMemory {
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
}

test("the first language of the browser that the page is written in is taken", () => {
  expect(chooseLanguage(["fr-FR", "zh-Hant-TW", "en"])).toBe("zh-CN");
  expect(chooseLanguage(["de", "en-GB", "zh-CN"])).toBe("en");
  expect(chooseLanguage(["ja"])).toBe("en");
  expect(chooseLanguage([])).toBe("en");
});

test("a chosen language is remembered and stronger than the browser's", () => {
  const kept = new Map<string, string>();
  createLanguageStore({ preferred: ["en"], storage: memory(kept) }).set("zh-CN");
  const later = createLanguageStore({ preferred: ["en"], storage: memory(kept) });
  expect(later.get()).toBe("zh-CN");
});

test("listeners hear of a change, and only of a change", () => {
  const store = createLanguageStore({ preferred: ["en"], storage: undefined });
  let calls = 0;
  const stop = store.subscribe(() => (calls += 1));
  store.set("en");
  store.set("zh-CN");
  stop();
  store.set("en");
  expect(calls).toBe(1);
});

test("a browser that keeps nothing, or keeps nonsense, still gets a language", () => {
  const throwing: LanguageMemory = {
    getItem: () => {
      throw new Error("denied");
    },
    setItem: () => {
      throw new Error("denied");
    },
  };
  const store = createLanguageStore({ preferred: ["zh"], storage: throwing });
  store.set("en");
  expect(store.get()).toBe("en");
  const nonsense = memory(new Map([["holdpoint.language", "xx"]]));
  expect(createLanguageStore({ preferred: ["zh"], storage: nonsense }).get()).toBe("zh-CN");
});
