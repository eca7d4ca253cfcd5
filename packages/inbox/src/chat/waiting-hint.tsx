import type { MouseEvent, ReactNode } from "react";
import { useChatTexts } from "./texts.ts";
import { waitingCardsId } from "./waiting-cards.tsx";

/** Says beside the input that a decision waits, and leads to its card. */
export function WaitingHint(): ReactNode {
  const texts = useChatTexts();
  return (
    <p className="waiting-hint" data-testid="waiting-hint">
      {texts.waiting}{" "}
      <a href={`#${waitingCardsId}`} onClick={goToCards}>
        {texts.goToCard}
      </a>
    </p>
  );
}

// The fragment stays free: one-time links live there.
function goToCards(event: MouseEvent): void {
  event.preventDefault();
  const cards = document.getElementById(waitingCardsId);
  cards?.scrollIntoView({ block: "start", behavior: "smooth" });
  cards?.focus({ preventScroll: true });
}
