import type { ReactNode } from "react";
import { setLanguage, useLanguage } from "../language/language.ts";

/** Switches the page between English and Chinese. */
export function LanguageSwitch(): ReactNode {
  const language = useLanguage();
  const english = language === "en";
  return (
    <button
      type="button"
      className="language-switch"
      data-testid="language-switch"
      aria-label={english ? "切换到中文" : "Switch to English"}
      lang={english ? "zh-CN" : "en"}
      onClick={() => setLanguage(english ? "zh-CN" : "en")}
    >
      <span data-current={english}>EN</span>
      <span data-current={!english}>中文</span>
    </button>
  );
}
