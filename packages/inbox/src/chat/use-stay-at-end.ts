import { useEffect, useRef } from "react";

const nearPx = 120;

/**
 * Keeps the end of the page in view while something is added there, unless the person has scrolled away.
 * Returns a function that goes to the end.
 */
export function useStayAtEnd(content: string): () => void {
  const atEnd = useRef(true);

  useEffect(() => {
    const note = (): void => {
      const { scrollHeight } = document.documentElement;
      atEnd.current = window.innerHeight + window.scrollY >= scrollHeight - nearPx;
    };
    window.addEventListener("scroll", note, { passive: true });
    return () => window.removeEventListener("scroll", note);
  }, []);

  useEffect(() => {
    if (atEnd.current) scrollToEnd();
  }, [content]);

  return () => {
    atEnd.current = true;
    scrollToEnd();
  };
}

function scrollToEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}
