import { visiblePieces } from "@holdpoint/core";
import type { ReactNode } from "react";

/**
 * Text from a model or a tool as plain text nodes; characters that a person could not have seen are
 * shown as marked escapes. Unusual spaces, common in well-set prose, stay spaces.
 */
export function SafeText({ text }: { readonly text: string }): ReactNode {
  return visiblePieces(text).map((piece, index) => {
    if (piece.type === "plain") return piece.text;
    if (piece.kind === "space") return " ";
    return (
      <span key={index} className="hidden-character">
        {piece.text}
      </span>
    );
  });
}
