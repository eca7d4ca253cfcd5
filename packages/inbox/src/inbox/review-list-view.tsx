import type { ReviewsQuery } from "@holdpoint/client";
import type { ReviewView } from "@holdpoint/core";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { refreshEveryMs, startPolling } from "../state/polling.ts";
import { useStore } from "../state/use-store.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { EmptyList } from "./empty-list.tsx";
import type { ReviewList } from "./review-list.ts";
import { ReviewRow } from "./review-row.tsx";
import { useInboxTexts } from "./texts.ts";

type ReviewListViewProps = {
  readonly list: ReviewList;
  readonly status: ReviewsQuery["status"];
};

/** The rows of one list, kept up to date while they are on screen. */
export function ReviewListView({ list, status }: ReviewListViewProps): ReactNode {
  const state = useStore(list);
  const texts = useInboxTexts();
  const [loadingMore, setLoadingMore] = useState(false);
  const rows = useRef<HTMLUListElement>(null);

  useEffect(() => {
    // The open reviews are watched for the header on every page.
    const polling = status === "open" ? undefined : startPolling(list.refresh, refreshEveryMs);
    return () => {
      polling?.stop();
      list.open(undefined);
    };
  }, [list, status]);

  const recorded = useCallback(
    (review: ReviewView) => {
      list.replace(review);
      void list.refresh();
    },
    [list],
  );

  async function loadMore(): Promise<void> {
    if (loadingMore) return;
    const firstNew = rows.current?.children.length ?? 0;
    setLoadingMore(true);
    await list.loadMore();
    setLoadingMore(false);
    // The last page takes the button away; going on with the keyboard starts at what it brought.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      rows.current?.children[firstNew]?.querySelector("button")?.focus();
    });
  }

  if (state.status === "loading") {
    return (
      <>
        <ConnectionBanner connection={state.connection} />
        <p className="list-loading">{texts.loading}</p>
      </>
    );
  }
  return (
    <>
      <ConnectionBanner connection={state.connection} />
      {state.held > 0 ? (
        <div className="held">
          <button type="button" onClick={() => list.open(undefined)}>
            {texts.held(state.held)}
          </button>
        </div>
      ) : null}
      {state.rows.length === 0 ? (
        <EmptyList status={status} />
      ) : (
        <ul
          ref={rows}
          className="rows"
          aria-label={status === "open" ? texts.waiting : texts.decided}
        >
          {state.rows.map((listed) => {
            const { id } = listed.review;
            const opened = state.opened === id;
            return (
              <ReviewRow
                key={id}
                listed={listed}
                opened={opened}
                onToggle={() => list.open(opened ? undefined : id)}
                onRecorded={recorded}
              />
            );
          })}
        </ul>
      )}
      {state.more ? (
        <button
          type="button"
          className="button load-more"
          aria-disabled={loadingMore}
          onClick={() => void loadMore()}
        >
          {texts.loadMore}
        </button>
      ) : null}
      {status === "open" ? <Arrivals count={state.count} /> : null}
    </>
  );
}

/** Tells a screen reader that there is more to decide than before. */
function Arrivals({ count }: { readonly count: number }): ReactNode {
  const texts = useInboxTexts();
  const [heard, setHeard] = useState({ count, message: "" });
  if (heard.count !== count) {
    setHeard({ count, message: count > heard.count ? texts.arrived(count) : "" });
  }
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {heard.message}
    </p>
  );
}
