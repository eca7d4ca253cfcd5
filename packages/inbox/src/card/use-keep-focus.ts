import { type RefObject, useEffect, useRef } from "react";

/** What an area needs so that keyboard focus stays in it; spread it onto the element. */
export type FocusKeeping = {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly tabIndex: -1;
  readonly onFocus: () => void;
  readonly onBlur: (event: { readonly relatedTarget: unknown }) => void;
};

/**
 * Keeps focus in an area whose focused control goes away when `content` changes, such as a button
 * that is replaced by its result. Never takes focus from anything else, and never scrolls.
 */
export function useKeepFocus(content: string): FocusKeeping {
  const ref = useRef<HTMLDivElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    const area = ref.current;
    if (area === null || !wasInside.current || area.contains(document.activeElement)) return;
    area.focus({ preventScroll: true });
  }, [content]);
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
