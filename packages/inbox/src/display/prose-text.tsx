import type { ReactNode } from "react";
import { SafeText } from "./safe-text.tsx";

// One backtick on either side, on one line; fences of three stay as they are.
const code = /(?<!`)`([^`\n]+)`(?!`)/;

/** What an assistant said: plain text in which `names in backticks` are set as code, and nothing else. */
export function ProseText({ text }: { readonly text: string }): ReactNode {
  // Splitting by a pattern with one group puts what it holds at every odd place.
  return text.split(code).map((part, index) =>
    index % 2 === 1 ? (
      <code key={index}>
        <SafeText text={part} />
      </code>
    ) : (
      <SafeText key={index} text={part} />
    ),
  );
}
