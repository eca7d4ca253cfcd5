import type { ReactNode } from "react";
import { oneLine } from "../display/one-line.ts";
import { SafeText } from "../display/safe-text.tsx";
import type { ConversationItem } from "./conversation-items.ts";
import { useChatTexts } from "./texts.ts";
import type { ToolProgress } from "./tool-progress.ts";

type ToolLineProps = {
  readonly item: Extract<ConversationItem, { type: "tool" }>;
  readonly progress: ToolProgress;
};

/** A tool call on one line: its name, how far it is, and what it answered; opened, all of it. */
export function ToolLine({ item, progress }: ToolLineProps): ReactNode {
  const texts = useChatTexts();
  const { result } = item;
  const { decided, state, args } = progress;
  return (
    <details
      className="tool"
      data-testid={result === undefined ? "tool-call" : "tool-result"}
      data-state={state}
      data-tool={item.name}
    >
      <summary>
        <span className="tool-name">{oneLine(item.name, 60)}</span>
        <span className="tool-state">
          {decided === undefined
            ? texts.tool[state]
            : texts.stateAndDecision(
                decided.how === "rejected" ? texts.tool.notRun : texts.tool[state],
                decided.by === undefined
                  ? texts.decided[decided.how]
                  : texts.decidedBy[decided.how](oneLine(decided.by, 40)),
              )}
        </span>
        {result === undefined ? null : (
          <span className="tool-text">{oneLine(result.text, 160)}</span>
        )}
      </summary>
      <dl>
        <dt>{texts.tool.arguments}</dt>
        <dd>
          <SafeText text={JSON.stringify(args, null, 2)} />
        </dd>
        {result === undefined ? null : (
          <>
            <dt>{texts.tool.result}</dt>
            <dd>
              <SafeText text={result.text} />
            </dd>
          </>
        )}
      </dl>
    </details>
  );
}
