import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ProseText } from "./prose-text.tsx";

test.each([
  ["I wrote `a.txt` and `b.txt`.", "I wrote <code>a.txt</code> and <code>b.txt</code>."],
  ["**bold** [link](x) <b>", "**bold** [link](x) &lt;b&gt;"],
  ["```js\nx\n```", "```js\nx\n```"],
  ["a ` b", "a ` b"],
  ["`<img src=x>`", "<code>&lt;img src=x&gt;</code>"],
])("%j shows names in backticks as code and no other Markdown", (text, html) => {
  expect(renderToStaticMarkup(<ProseText text={text} />)).toBe(html);
});

test("characters that nobody could see are marked in code too", () => {
  expect(renderToStaticMarkup(<ProseText text={"`a\u202Eb`"} />)).toContain("\\u{202E}");
});
