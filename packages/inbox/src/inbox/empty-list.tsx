import type { ReviewsQuery } from "@holdpoint/client";
import type { ReactNode } from "react";
import { useInboxTexts } from "./texts.ts";

/** What is shown in place of rows when there are none. */
export function EmptyList({ status }: { readonly status: ReviewsQuery["status"] }): ReactNode {
  const texts = useInboxTexts();
  const open = status === "open";
  return (
    <div className="empty" data-testid="inbox-empty">
      <svg width="40" height="40" viewBox="0 0 40 40" aria-hidden="true" className="empty-icon">
        <circle cx="20" cy="20" r="15.5" />
        {open ? <path d="m13.5 20.5 4.5 4.5 9-10" /> : <path d="M20 11.5V20l5.5 3.5" />}
      </svg>
      <p className="empty-title">{open ? texts.emptyTitle : texts.noneDecidedTitle}</p>
      <p>{open ? texts.empty : texts.noneDecided}</p>
    </div>
  );
}
