import { type ReactNode, Suspense, lazy } from "react";
import { Link, Route, Switch } from "wouter";
import { InboxPage } from "./inbox/inbox-page.tsx";
import { ReviewPage } from "./review/review-page.tsx";
import { SessionGate } from "./session/session-gate.tsx";
import { Header } from "./shell/header.tsx";
import { PageBoundary } from "./shell/page-boundary.tsx";
import { useShellTexts } from "./shell/texts.ts";

// The chat brings LangChain's runtime along; nobody pays for it in the inbox.
const ChatPage = lazy(async () => {
  const { ChatPage: component } = await import("./chat/chat-page.tsx");
  return { default: component };
});

/** The whole web app: the header and the page that the address names. */
export function App(): ReactNode {
  const texts = useShellTexts();
  return (
    <>
      <Header />
      <main id="content" tabIndex={-1}>
        <PageBoundary texts={texts}>
          <SessionGate>
            <Suspense fallback={<p className="gate-quiet">{texts.loading}</p>}>
              <Switch>
                <Route path="/">
                  <InboxPage />
                </Route>
                <Route path="/reviews/:id">{({ id }) => <ReviewPage id={id} />}</Route>
                <Route path="/chat/:threadId?">
                  {({ threadId }) => <ChatPage threadId={threadId} />}
                </Route>
                <Route>
                  <p className="page">
                    {texts.notFound} <Link href="/">{texts.toInbox}</Link>
                  </p>
                </Route>
              </Switch>
            </Suspense>
          </SessionGate>
        </PageBoundary>
      </main>
    </>
  );
}
