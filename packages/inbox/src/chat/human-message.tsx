import { type AnyStream, useMessageMetadata } from "@langchain/react";
import type { ReactNode } from "react";
import { SafeText } from "../display/safe-text.tsx";
import { useChatTexts } from "./texts.ts";

type HumanMessageProps = {
  readonly stream: AnyStream;
  readonly id: string;
  readonly text: string;
};

/** What the person said; one that the server refused is not shown, its text is still in the input. */
export function HumanMessage({ stream, id, text }: HumanMessageProps): ReactNode {
  const texts = useChatTexts();
  const status = useMessageMetadata(stream, id)?.optimisticStatus;
  if (status === "failed") return null;
  return (
    <p className="message-text" data-testid="message-human">
      <span className="visually-hidden">{texts.said}</span>
      <SafeText text={text} />
    </p>
  );
}
