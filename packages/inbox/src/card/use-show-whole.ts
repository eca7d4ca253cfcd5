import { type RefObject, useEffect, useRef } from "react";

/** Scrolls just as far as needed to show an area whole when a panel opens in it. */
export function useShowWhole(area: RefObject<HTMLElement | null>, panel: string): void {
  const shown = useRef(panel);
  useEffect(() => {
    if (shown.current === panel) return;
    shown.current = panel;
    if (panel !== "closed") area.current?.scrollIntoView({ block: "nearest" });
  }, [area, panel]);
}
