import { expect, test } from "vitest";
import { followRejection } from "./follow.ts";

const write = (path: string, content = "the secret text") => {
  return { name: "write_file", args: { path, content } };
};
const remove = (path: string) => ({ name: "delete_file", args: { path } });
const archive = (path: string) => ({ name: "archive_file", args: { path } });
const refund = (amount: number, order = "A-1002", currency = "EUR") => {
  return { name: "issue_refund", args: { order, amount, currency, reason: "broken" } };
};
const mail = (to: string[], more: Record<string, unknown> = {}) => {
  return { name: "send_email", args: { to, subject: "S", body: "B", ...more } };
};

type Call = Parameters<typeof followRejection>[0];

const CASES: readonly (readonly [Call, string, Call | undefined])[] = [
  [write("r/master.md"), "use notes/b.txt instead", write("notes/b.txt")],
  [write("r/master.md"), "instead: write to reports/x.txt", write("reports/x.txt")],
  [write("r/master.md"), "写到 drafts/a.txt", write("drafts/a.txt")],
  [write("r/master.md"), "写到drafts/a.txt吧，别动r/master.md", write("drafts/a.txt")],
  [write("r/master.md"), "put it in drafts/", write("drafts/master.md")],
  [write("r/master.md"), "please put it in the drafts folder", write("drafts/master.md")],
  [write("r/master.md"), "放到草稿里", write("drafts/master.md")],
  [write("r/master.md"), "not to notes/b.txt but to notes/c.txt", write("notes/c.txt")],
  [write("r/master.md"), "because notes/b.txt already covers it", undefined],
  [write("r/master.md"), 'say "Hello team" instead', write("r/master.md", "Hello team")],
  [write("r/master.md"), "内容改成“大家好”", write("r/master.md", "大家好")],
  [write("r/master.md"), 'replace "secret" with "public"', write("r/master.md", "the public text")],
  [write("r/master.md"), 'remove "secret"', write("r/master.md", "the text")],
  [write("r/master.md"), "at most 10 characters", write("r/master.md", "the secre…")],
  [write("r/master.md"), "最多 2 words", write("r/master.md", "the secret")],
  [write("r/master.md"), "This is wrong.", undefined],
  [write("r/master.md"), "Instead: archive r/master.md", archive("r/master.md")],
  [
    write("r/master.md"),
    "No, because it would overwrite the master copy. Instead: write to notes/b.txt. Within these bounds: at most 200 characters.",
    write("notes/b.txt"),
  ],
  [
    write("r/master.md"),
    "不行，因为会覆盖 r/index.md。改为：写到 drafts/a.txt。限制：不超过 5 字",
    write("drafts/a.txt", "the …"),
  ],

  [remove("r/q3.md"), "archive instead of deleting", archive("r/q3.md")],
  [remove("r/q3.md"), "不要删除", archive("r/q3.md")],
  [remove("r/q3.md"), "不行，因为财务还要用。改为：归档。", archive("r/q3.md")],
  [remove("r/q3.md"), "Do not delete reports, we need them", archive("r/q3.md")],
  [remove("r/q3.md"), "move it to archive/ instead", archive("r/q3.md")],
  [remove("r/q3.md"), "don't delete r/q3.md, delete notes/old.md", remove("notes/old.md")],
  [remove("r/q3.md"), "不是这个，删 notes/old.md", remove("notes/old.md")],
  [remove("r/q3.md"), "keep it", undefined],
  [archive("r/q3.md"), "just delete it", remove("r/q3.md")],
  [archive("r/q3.md"), "archive notes/today.md instead", archive("notes/today.md")],

  [refund(1500), "at most 800", refund(800)],
  [refund(1500), "不超过 800", refund(800)],
  [refund(1500), "less than 1000", refund(999.99)],
  [refund(1500), "only half", refund(750)],
  [refund(1500), "No, because refunds are at most 900 here.", refund(900)],
  [refund(1500), "最多退 800 元", refund(800, "A-1002", "CNY")],
  [refund(1500), "不行，因为金额太高。改为：退 800 欧元。限制：不超过 1000", refund(800)],
  [refund(1500), "order A-1002 was only 900 EUR", refund(900)],
  [refund(1500), "wrong order, use A-1005", refund(1500, "A-1005")],
  [refund(1500), "the 30 days are over", undefined],
  [refund(1500), "Within these bounds: at most 2000", undefined],

  [mail(["a@x.com"]), "send it to bob@x.com instead", mail(["bob@x.com"])],
  [mail(["a@x.com", "b@x.com"]), "不要发给 a@x.com", mail(["b@x.com"])],
  [mail(["a@x.com"]), "cc boss@x.com", mail(["a@x.com"], { cc: ["boss@x.com"] })],
  [mail(["a@x.com"]), 'the subject should be "Q3"', mail(["a@x.com"], { subject: "Q3" })],
  [mail(["a@x.com"]), "正文改为“早上好”", mail(["a@x.com"], { body: "早上好" })],
  [mail(["a@x.com"]), "not to a@x.com", undefined],
];

test.each(CASES)("%j, rejected with %j, becomes %j", (call, reason, expected) => {
  expect(followRejection(call, reason)).toEqual(expected);
});
