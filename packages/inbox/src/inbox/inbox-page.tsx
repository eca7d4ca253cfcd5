import type { ReviewsQuery } from "@holdpoint/client";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useSearch } from "wouter";
import { agents } from "../chat/agents.ts";
import { openReviews, settledReviews } from "./open-reviews.ts";
import { rememberedOrder, rememberOrder } from "./order-memory.ts";
import { OrderSwitch } from "./order-switch.tsx";
import { ReviewListView } from "./review-list-view.tsx";
import { useInboxTexts } from "./texts.ts";
import "./inbox.css";

/** The inbox: what waits for a person, and under a second tab what was decided. */
export function InboxPage(): ReactNode {
  const texts = useInboxTexts();
  const status = new URLSearchParams(useSearch()).get("tab") === "decided" ? "settled" : "open";

  useEffect(() => void agents.load(), []);

  return (
    <div className="page">
      <h1 className="visually-hidden">{texts.title}</h1>
      <InboxTab key={status} status={status} />
    </div>
  );
}

function InboxTab({ status }: { readonly status: ReviewsQuery["status"] }): ReactNode {
  const texts = useInboxTexts();
  const [order, setOrder] = useState(() => rememberedOrder(status));
  const list = status === "open" ? openReviews : settledReviews;

  function choose(chosen: ReviewsQuery["order"]): void {
    setOrder(chosen);
    rememberOrder(status, chosen);
    list.setOrder(chosen);
    void list.refresh();
  }

  return (
    <>
      <div className="toolbar">
        <nav className="tabs" aria-label={texts.lists}>
          <Link
            href="/"
            data-testid="tab-open"
            aria-current={status === "open" ? "page" : undefined}
          >
            {texts.waiting}
          </Link>
          <Link
            href="/?tab=decided"
            data-testid="tab-decided"
            aria-current={status === "settled" ? "page" : undefined}
          >
            {texts.decided}
          </Link>
        </nav>
        <OrderSwitch order={order} onChange={choose} />
      </div>
      <ReviewListView list={list} status={status} />
    </>
  );
}
