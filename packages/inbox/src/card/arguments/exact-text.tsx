import { visiblePieces } from "@holdpoint/core";
import { memo } from "react";

/**
 * Text as it is, to the character: what a person could not see is shown as a highlighted code. Only
 * text nodes, so nothing in it can act as markup. `markLineEnds` also shows where lines end.
 */
export const ExactText = memo(function ExactText(props: {
  readonly text: string;
  readonly markLineEnds?: boolean;
}) {
  return visiblePieces(props.text).map((piece, index) => {
    if (piece.type === "hidden") {
      return (
        <mark key={index} className="card-hidden" data-kind={piece.kind}>
          {piece.text}
        </mark>
      );
    }
    return props.markLineEnds ? piece.text.replaceAll("\n", "↵\n") : piece.text;
  });
});
