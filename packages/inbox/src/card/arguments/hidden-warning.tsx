import { type HiddenKind, visiblePieces } from "@holdpoint/core";
import { useMemo } from "react";
import { useCardTexts } from "../texts.ts";

const kinds: readonly HiddenKind[] = ["bidirectional", "invisible", "control", "space"];

/** A line that says which characters of a text nobody could have seen; nothing when there are none. */
export function HiddenWarning({ text }: { readonly text: string }) {
  const texts = useCardTexts();
  const found = useMemo(() => {
    const present = new Set(
      visiblePieces(text).flatMap((piece) => (piece.type === "hidden" ? [piece.kind] : [])),
    );
    return kinds.filter((kind) => present.has(kind));
  }, [text]);
  if (found.length === 0) return null;
  return (
    <p className="card-warning" data-testid="hidden-warning">
      {found.map((kind) => texts.hidden[kind]).join(" · ")}
      {texts.colon}
      {texts.hiddenShown}
    </p>
  );
}
