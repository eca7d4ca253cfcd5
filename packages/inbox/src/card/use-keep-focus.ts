import { type RefObject, useEffect, useRef } from "react";

/** What an area needs so that keyboard focus stays in it; spread it onto the element. */
export type FocusKeeping = {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly tabIndex: -1;
  readonly onFocus: () => void;
  readonly onBlur: (event: { readonly relatedTarget: unknown }) => void;
};

/**
 * Keeps focus in an area whose focused control goes away, such as a button that is replaced by its
 * result. Watches the document rather than React's state: a panel inside may change by itself. Never
 * takes focus from anything else, and never scrolls.
 */
export function useKeepFocus(): FocusKeeping {
  const ref = useRef<HTMLDivElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    const area = ref.current;
    if (area === null) return undefined;
    const observer = new MutationObserver(() => {
      const isNowhere = document.activeElement === null || document.activeElement === document.body;
      if (wasInside.current && isNowhere) area.focus({ preventScroll: true });
    });
    observer.observe(area, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return {
    ref,
    tabIndex: -1,
    onFocus: () => {
      wasInside.current = true;
    },
    onBlur: (event) => {
      if (event.relatedTarget !== null) wasInside.current = false; // gone elsewhere, not removed
    },
  };
}
