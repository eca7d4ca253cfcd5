import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { RuleModel } from "./rule-model.ts";

const model = new RuleModel();

/** What a tool says to each call in turn; `rejected` is the text the product sends. */
type Answer = { readonly text: string; readonly status?: "success" | "error" };

function rejected(tool: string, reason?: string): Answer {
  const text =
    reason === undefined
      ? `The reviewer rejected this call to \`${tool}\`. The tool was not executed. Do not try this call again unless the user asks for it.`
      : `The reviewer rejected this call to \`${tool}\`: ${reason}. The tool was not executed. Adjust accordingly before trying again.`;
  return { text, status: "error" };
}

/** Says something to the model and answers its calls ("ok" by default) until it stops calling. */
async function talk(say: string, ...rounds: readonly (readonly Answer[])[]) {
  const messages: BaseMessage[] = [new HumanMessage(say)];
  const calls: (readonly { name: string; args: Record<string, unknown> }[])[] = [];
  for (const answers of [...rounds, [], [], []]) {
    const reply = await model.invoke(messages);
    messages.push(reply);
    const made = reply.tool_calls ?? [];
    if (made.length === 0) break;
    calls.push(made.map(({ name, args }) => ({ name, args })));
    for (const [index, { id = "" }] of made.entries()) {
      const { text, status = "success" } = answers[index] ?? { text: "ok" };
      messages.push(new ToolMessage({ tool_call_id: id, content: text, status }));
    }
  }
  return { calls, messages, reply: messages.at(-1)?.text ?? "" };
}

const write = (path: string, content = "hi") => ({ name: "write_file", args: { path, content } });

test("several requests become several calls of one message, with ids of their own", async () => {
  const reply = await model.invoke("read a.txt, archive b.txt and delete c.txt");
  const calls = reply.tool_calls ?? [];
  expect(calls.map(({ name }) => name)).toEqual(["read_file", "archive_file", "delete_file"]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  for (const { id } of calls) expect(id).toMatch(/^call_[0-9a-f-]{36}$/);
  expect(reply.text).toBe("I will read `a.txt`, archive `b.txt` and delete `c.txt`.");
});

test("a report quotes what was read and answered, in the language of the request", async () => {
  const english = await talk("read a.txt and delete b.txt", [
    { text: "one\ntwo\n" },
    { text: "ok" },
  ]);
  expect(english.reply).toBe("`a.txt` says:\n\none\ntwo\n\nI deleted `b.txt`.");
  const chinese = await talk("问我“红色还是蓝色？”，再把“好”写到 a.txt", [{ text: "红色" }]);
  expect(chinese.reply).toBe("你的回答是：“红色”。\n\n已写入 `a.txt`。");
});

test("a failure is told as the tool told it", async () => {
  const error = { text: "Error: there is no file `a.txt` in the workspace." };
  const { reply, calls } = await talk("delete a.txt", [error]);
  expect(reply).toBe("I could not delete `a.txt`: there is no file `a.txt` in the workspace.");
  expect(calls).toHaveLength(1);
});

test("a failure is read in Holdpoint's and LangChain's words, too", async () => {
  for (const text of [
    "Error: `delete_file` failed: there is no file `a.txt` in the workspace.",
    "Error: there is no file `a.txt` in the workspace.\n Please fix your mistakes.",
  ]) {
    const failed = { text, status: "error" as const };
    const { reply } = await talk("delete a.txt", [failed]);
    expect(reply).toBe("I could not delete `a.txt`: there is no file `a.txt` in the workspace.");
    expect((await talk("删除 a.txt", [failed])).reply).toBe(
      "删除 `a.txt` 失败，工具返回的说明是：there is no file `a.txt` in the workspace.",
    );
  }
});

test("a call that nobody ran again is never said to have failed or succeeded", async () => {
  const left = (reason?: string) => {
    const text = `This call to \`write_file\` was started once and nobody knows whether it finished; the reviewer decided not to run it again${reason === undefined ? "." : `: ${reason}.`} Do not assume that it ran, or that it did not.`;
    return [{ text, status: "error" as const }];
  };
  const english = await talk('write "hi" to a.md', left());
  expect(english.reply).toBe(
    "It is not known whether I wrote to `a.md`: the call was started once, and nobody knows whether it finished. The reviewer decided not to run it again.",
  );
  expect(english.calls).toHaveLength(1);
  const chinese = await talk("把“hi”写到 a.md", left("写到 b.md"));
  expect(chinese.reply).toBe(
    "不确定是否已经写入 `a.md`：这次调用启动过一次，但没有人知道它有没有完成。审批人决定不再执行，意见是：“写到 b.md”。",
  );
  expect(chinese.calls).toHaveLength(1);
});

test("a call that was stopped is told as what is known of it", async () => {
  const stopped = (text: string) => [{ text, status: "error" as const }];
  const refused = await talk(
    "delete a.md",
    stopped(
      "This call to `delete_file` was stopped: no person approved it. The tool was not executed.",
    ),
  );
  expect(refused.reply).toBe(
    "The request to delete `a.md` was stopped; it was not executed. no person approved it.",
  );
  const before = stopped(
    "This call to `delete_file` was stopped before it ran; nothing was executed. Do not try it again unless the user asks for it.",
  );
  expect((await talk("删除 a.md", before)).reply).toBe("删除 `a.md` 这一步被拦下，没有执行。");
  const halfway = stopped(
    "This call to `delete_file` was stopped and its result is not known; it may have run. Do not assume that it ran, or that it did not.",
  );
  expect((await talk("delete a.md", halfway)).reply).toBe(
    "It is not known whether I deleted `a.md`: the call was stopped, and it may have run.",
  );
  expect((await talk("删除 a.md", halfway)).reply).toBe(
    "不确定是否已经删除 `a.md`：这次调用被中途停止，可能已经执行。",
  );
});

test("what a person answered in place of the tool is not told as done", async () => {
  const messages: BaseMessage[] = [new HumanMessage('write "hi" to a.md')];
  const asked = await model.invoke(messages);
  const answer = new ToolMessage({
    tool_call_id: asked.tool_calls?.[0]?.id ?? "",
    content: "The file is empty.",
    additional_kwargs: { lc_source: "hitl_interrupt_decision", lc_data: { decision: "respond" } },
  });
  const { text } = await model.invoke([...messages, asked, answer]);
  expect(text).toBe("The reviewer answered the request to write to `a.md`: “The file is empty.”");
});

test("what may mean two things is asked back, and nothing of the message is done", async () => {
  const amount = await talk('refund order A-1 by 2e3 EUR and write "hi" to a.md');
  expect(amount.calls).toEqual([]);
  expect(amount.reply).toContain("I am not sure which amount “2e3 EUR” is.");
  expect(amount.reply).toContain("I have not done anything yet.");
  const file = await talk("把“hi”写到 报告/我的 笔记.txt");
  expect(file.calls).toEqual([]);
  expect(file.reply).toContain("我不确定文件名是不是“报告/我的 笔记.txt”。");
});

test("in Chinese a currency has its Chinese name", async () => {
  const reply = await model.invoke("给订单 A-1002 退款 1500 欧元");
  expect(reply.text).toBe("我这就为订单 A-1002 退款 1500 欧元。");
});

test("an unknown request is answered with what is understood, in its language", async () => {
  expect((await talk("sing a song")).reply).toContain("Refund an order");
  expect((await talk("唱首歌")).reply).toContain("给订单 A-1002 退款");
});

test("a rejection with a reason is followed once, and only once", async () => {
  const { calls, reply } = await talk(
    'write "hi" to reports/a.md',
    [rejected("write_file", "use reports/b.md instead")],
    [rejected("write_file", "use reports/c.md instead")],
  );
  expect(calls).toEqual([[write("reports/a.md")], [write("reports/b.md")]]);
  expect(reply).toContain("use reports/c.md instead");
  expect(reply).toContain("How would you like to proceed?");
});

test("a rejection that is followed ends with what was done in its place", async () => {
  const { calls, reply } = await talk("删除 a.md", [rejected("delete_file", "不要删除，归档吧")]);
  expect(calls[1]).toEqual([{ name: "archive_file", args: { path: "a.md" } }]);
  expect(reply).toBe(
    "审批人没有同意我删除 `a.md`，意见是：“不要删除，归档吧”。\n\n已归档 `a.md`。",
  );
});

test("a rejection without a reason, or one that says nothing to do, is not tried again", async () => {
  const say = 'write "hi" to reports/a.md';
  const without = await talk(say, [rejected("write_file")]);
  expect(without.calls).toHaveLength(1);
  expect(without.reply).toContain("it was not executed");
  expect(without.reply).toContain("I will not try that again");
  const vague = await talk(say, [rejected("write_file", "I do not like it")]);
  expect(vague.calls).toHaveLength(1);
  expect(vague.reply).toContain("“I do not like it”");
});

test("the identical call is never made again", async () => {
  const { calls } = await talk('write "hi" to reports/a.md and write "hi" to reports/b.md', [
    rejected("write_file", "use reports/b.md instead"),
    rejected("write_file", "use reports/a.md"),
  ]);
  expect(calls).toHaveLength(1);
});

test("of several calls only the rejected one is adjusted", async () => {
  const { calls, reply } = await talk('write "hi" to a.md and delete b.md', [
    { text: "ok" },
    rejected("delete_file", "archive it"),
  ]);
  expect(calls[1]).toEqual([{ name: "archive_file", args: { path: "b.md" } }]);
  expect(reply).toContain("I wrote to `a.md`.");
  expect(reply).toContain("I archived `b.md`.");
});

test("a new request for the same call is made again", async () => {
  const { messages } = await talk('write "hi" to a.md', [rejected("write_file")]);
  const again = await model.invoke([...messages, new HumanMessage('write "hi" to a.md')]);
  expect(again.tool_calls).toMatchObject([write("a.md")]);
});

test("what waits for an answer comes in a message of its own, with the answer", async () => {
  const say = "ask me which colour I like, read a.txt, then write my answer to b.txt";
  const { calls } = await talk("ask me which colour I like, then write it to b.txt", [
    { text: "blue" },
  ]);
  expect(calls[1]).toEqual([write("b.txt", "blue")]);
  const withReading = await talk(say, [{ text: "blue" }, { text: "one" }]);
  expect(withReading.calls[1]).toEqual([write("b.txt", "blue")]);
  const unanswered = await talk(say, [rejected("ask_user"), { text: "one" }]);
  expect(unanswered.calls).toHaveLength(1);
});

test("a file that is written and then read is read afterwards", async () => {
  const { calls, reply } = await talk(
    'write "hi" to a.txt and read a.txt',
    [{ text: "ok" }],
    [{ text: "hi" }],
  );
  expect(calls).toEqual([[write("a.txt")], [{ name: "read_file", args: { path: "a.txt" } }]]);
  expect(reply).toBe("I wrote to `a.txt`.\n\n`a.txt` says:\n\nhi");
});

test("the same messages bring the same calls, whatever was said before", async () => {
  const bare = ({ tool_calls: calls = [] }: AIMessage) =>
    calls.map(({ name, args }) => ({ name, args }));
  const first = await model.invoke("refund order A-1 1500 EUR");
  await model.invoke("delete a.txt");
  expect(bare(await model.invoke("refund order A-1 1500 EUR"))).toEqual(bare(first));
});

test("text and calls are streamed", async () => {
  let whole;
  let count = 0;
  for await (const chunk of await model.stream('write "hi" to a.txt and read b.txt')) {
    whole = whole ? whole.concat(chunk) : chunk;
    count += 1;
  }
  expect(count).toBeGreaterThan(3);
  expect(whole?.text).toBe("I will write to `a.txt` and read `b.txt`.");
  expect(whole?.tool_calls).toMatchObject([write("a.txt"), { name: "read_file" }]);
});

test("it drives a LangChain agent", async () => {
  const readFile = tool(({ path }) => `text of ${path}`, {
    name: "read_file",
    schema: z.object({ path: z.string() }),
  });
  const agent = createAgent({ model, tools: [readFile] });
  const { messages } = await agent.invoke({ messages: [new HumanMessage("read a.txt")] });
  expect(messages.at(-1)?.text).toBe("`a.txt` says:\n\ntext of a.txt");
});
