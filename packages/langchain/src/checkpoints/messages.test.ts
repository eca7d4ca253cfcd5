import { ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { messageFrom, messageTree } from "./messages.ts";
import type { Reader, Writer } from "./value-codec.ts";

const writer: Writer = { write: () => undefined };
const reader: Reader = { read: () => undefined };

test.each([[[]], [{}], [undefined], [null], [{ rows: [] }]])(
  "what a message was made with, it still writes itself down with when it comes back: %j",
  (artifact) => {
    const message = new ToolMessage({ content: "done", tool_call_id: "c1", artifact });
    const back = messageFrom(messageTree(message, writer, reader), reader);
    expect(back.toJSON()).toMatchObject({
      kwargs: { content: "done", ...(artifact === undefined ? {} : { artifact }) },
    });
    expect(back).toHaveProperty("artifact", artifact);
  },
);
