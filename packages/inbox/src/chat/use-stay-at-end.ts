import { useEffect, useMemo, useRef } from "react";

const nearPx = 120;

/** Moves along a page that grows at its end. */
export type EndOfPage = {
  /** Goes to the end. */
  readonly go: () => void;
  /** Shows an element that has just grown at the end, from its top if it is taller than the window. */
  readonly show: (element: Element) => void;
};

/** Keeps the end of the page in view while something is added there, unless the person has scrolled away. */
export function useStayAtEnd(content: string): EndOfPage {
  const atEnd = useRef(true);

  useEffect(() => {
    let before = window.scrollY;
    const note = (): void => {
      const { scrollHeight } = document.documentElement;
      const isNear = window.innerHeight + window.scrollY >= scrollHeight - nearPx;
      // The event of our own scrolling may come after the page has grown again; only a person goes up.
      if (isNear || window.scrollY < before) atEnd.current = isNear;
      before = window.scrollY;
    };
    window.addEventListener("scroll", note, { passive: true });
    return () => window.removeEventListener("scroll", note);
  }, []);

  useEffect(() => {
    if (atEnd.current) scrollToEnd();
  }, [content]);

  return useMemo(
    () => ({
      go() {
        atEnd.current = true;
        scrollToEnd();
      },
      show(element) {
        if (!atEnd.current) return;
        scrollToEnd();
        const { scrollPaddingTop } = getComputedStyle(document.documentElement);
        const room = Number.parseFloat(scrollPaddingTop); // the header covers it
        if (element.getBoundingClientRect().top < room) element.scrollIntoView({ block: "start" });
      },
    }),
    [],
  );
}

function scrollToEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}
