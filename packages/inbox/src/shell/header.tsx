import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "wouter";
import { lastChat } from "../chat/chat-address.ts";
import { useOpenCount } from "../inbox/open-reviews.ts";
import { session } from "../session/session.ts";
import { useStore } from "../state/use-store.ts";
import { LanguageSwitch } from "./language-switch.tsx";
import { Mark } from "./mark.tsx";
import { useShellTexts } from "./texts.ts";
import "./header.css";

/** The bar on top of every page; also keeps the number of open reviews in the document's title. */
export function Header(): ReactNode {
  const texts = useShellTexts();
  const [path] = useLocation();
  const signedIn = useStore(session).status === "signed_in";
  const count = useOpenCount();
  const chat = useStore(lastChat);
  const inChat = path === "/chat" || path.startsWith("/chat/");

  useEffect(() => {
    const name = inChat ? `${texts.chat} · Holdpoint` : "Holdpoint";
    document.title = count === undefined ? name : `(${count}) ${name}`;
  }, [count, inChat, texts]);

  return (
    <header className="header">
      <a className="skip-link" href="#content" onClick={skipToContent}>
        {texts.skip}
      </a>
      <div className="header-row">
        <Link href="/" className="header-name" aria-label="Holdpoint">
          <Mark />
          <span className="header-word">Holdpoint</span>
        </Link>
        {signedIn ? (
          <nav className="header-nav" aria-label={texts.main}>
            <Link href="/" aria-current={inChat ? undefined : "page"}>
              {texts.inbox}
              {count === undefined ? null : (
                <span className="header-count" aria-label={texts.open(count)}>
                  {count}
                </span>
              )}
            </Link>
            <Link href={chat} aria-current={inChat ? "page" : undefined}>
              {texts.chat}
            </Link>
          </nav>
        ) : null}
        <LanguageSwitch />
      </div>
    </header>
  );
}

// The fragment stays free: one-time links live there.
function skipToContent(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}
