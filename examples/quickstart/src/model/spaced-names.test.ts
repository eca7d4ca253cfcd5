import { expect, test } from "vitest";
import { understand } from "./understand.ts";

test.each([
  ["Write 'x' into drafts/My Notes.md", "drafts/My Notes.md"],
  ["Write 'x' into drafts/my old notes.md", "drafts/my old notes.md"],
  ["把“x”写到drafts/My Notes.md", "drafts/My Notes.md"],
  ['write "x" to My Notes.md', "My Notes.md"],
  ['write "x" to "shopping list.txt"', "shopping list.txt"],
  ['write "x" in the existing file a.txt', "a.txt"],
  ['write "x" to drafts/a and read b.txt', "drafts/a"],
])("%s writes to %s", (say, path) => {
  const [request] = understand(say);
  expect(request).toMatchObject({ name: "write_file", args: { path, content: "x" } });
  expect(request).not.toHaveProperty("doubt");
});

test.each([
  ['write "x" into the shopping list.txt', "shopping list.txt"],
  ["把“x”写到 报告/我的 笔记.txt", "报告/我的 笔记.txt"],
  ["把“x”写到 drafts/我的 笔记.txt", "drafts/我的 笔记.txt"],
])("%s is asked back: the file may be %s", (say, text) => {
  expect(understand(say)).toMatchObject([{ name: "write_file", doubt: { type: "file", text } }]);
});
