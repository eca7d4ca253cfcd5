import { expect, test } from "vitest";
import {
  archive,
  ask,
  type ExpectedCall,
  mail,
  read,
  refund,
  remove,
  write,
} from "./testing/expected-calls.ts";
import { understand } from "./understand.ts";

const REQUESTS: readonly (readonly [string, readonly ExpectedCall[]])[] = [
  ["show me notes/today.md", [read("notes/today.md")]],
  ["what is in notes/today.md?", [read("notes/today.md")]],
  ["What does reports/q3.md say?", [read("reports/q3.md")]],
  ["cat notes/today.md", [read("notes/today.md")]],
  ["open up notes/today.md and reports/q3.md", [read("notes/today.md"), read("reports/q3.md")]],
  ["read a.txt, b.txt, and c.txt", [read("a.txt"), read("b.txt"), read("c.txt")]],
  ["Let me see reports/q3.md", [read("reports/q3.md")]],
  ["take a look at 报告/周报.md", [read("报告/周报.md")]],
  ["read 报告.txt", [read("报告.txt")]],
  ["READ notes/today.md!!", [read("notes/today.md")]],
  ["Tell me what's in notes/today.md.", [read("notes/today.md")]],
  ["give me the contents of reports/q3.md", [read("reports/q3.md")]],
  ["read `my notes.txt`", [read("my notes.txt")]],
  ["read /etc/passwd", [read("/etc/passwd")]],
  ["read ../secret.txt", [read("../secret.txt")]],
  ["hey there, how are you? Could you please read notes/today.md for me", [read("notes/today.md")]],
  ["I would like to know what notes/today.md says", [read("notes/today.md")]],
  ["delete a.txt and b.txt", [remove("a.txt"), remove("b.txt")]],
  ["Delete a.txt, b.txt and c.txt please", [remove("a.txt"), remove("b.txt"), remove("c.txt")]],
  [
    "remove reports/q3.md and then archive notes/today.md",
    [remove("reports/q3.md"), archive("notes/today.md")],
  ],
  ["don't delete a.txt", []],
  ["please do not delete notes/a.txt", []],
  ["never remove a.txt", []],
  ["How do I delete a file?", []],
  ["delete everything except a.txt", []],
  ["delete a.txt but keep b.txt", [remove("a.txt")]],
  ["delete a.txt. I love b.txt.", [remove("a.txt")]],
  ["delete a.txt. make coffee. read b.txt", [remove("a.txt"), read("b.txt")]],
  ["Read a.txt, then delete it", [read("a.txt"), remove("a.txt")]],
  ["notes/a.txt is outdated, please delete it", [remove("notes/a.txt")]],
  ["The file notes/a.txt should be deleted", [remove("notes/a.txt")]],
  ["I was wondering whether you might delete notes/a.txt", [remove("notes/a.txt")]],
  ["throw away tmp/x.log", [remove("tmp/x.log")]],
  ["rm -rf tmp/x.log", [remove("tmp/x.log")]],
  ["move notes/a.txt to archive/", [archive("notes/a.txt")]],
  ["put notes/a.txt in the archive", [archive("notes/a.txt")]],
  ["archive it please", []],
  [
    "archive notes/a.txt; delete notes/b.txt; read notes/c.txt",
    [archive("notes/a.txt"), remove("notes/b.txt"), read("notes/c.txt")],
  ],
  [
    "1. read a.txt\n2. delete b.txt\n3. archive c.txt",
    [read("a.txt"), remove("b.txt"), archive("c.txt")],
  ],
  [
    '- read a.txt\n- write "x; y and delete z.txt" to b.txt',
    [read("a.txt"), write("b.txt", "x; y and delete z.txt")],
  ],
  ["write hello world to notes/a.txt", [write("notes/a.txt", "hello world")]],
  ["put buy milk into notes/todo.txt", [write("notes/todo.txt", "buy milk")]],
  [
    "save buy milk, read books and save money in notes/todo.txt",
    [write("notes/todo.txt", "buy milk, read books and save money")],
  ],
  [
    "write to notes/a.txt: hello, world and delete b.txt",
    [write("notes/a.txt", "hello, world and delete b.txt")],
  ],
  [
    'write to notes/a.txt: "hello" and delete b.txt',
    [write("notes/a.txt", "hello"), remove("b.txt")],
  ],
  ["create notes/a.txt with hello there", [write("notes/a.txt", "hello there")]],
  ["create a file notes/a.txt", [write("notes/a.txt", "")]],
  ["create an empty file called notes/a.txt", [write("notes/a.txt", "")]],
  ["make a new file called report.md that says 'done'", [write("report.md", "done")]],
  ['write "a" to x.txt and "b" to y.txt', [write("x.txt", "a"), write("y.txt", "b")]],
  ['save "don\'t panic" as notes/advice.txt', [write("notes/advice.txt", "don't panic")]],
  ['write "hello" to "notes/a.txt"', [write("notes/a.txt", "hello")]],
  ["write 'it's fine' into notes/a.txt", [write("notes/a.txt", "it's fine")]],
  [
    "write “see reports/q3.md, then email bob@x.com” to notes/a.txt",
    [write("notes/a.txt", "see reports/q3.md, then email bob@x.com")],
  ],
  ['update notes/a.txt with the text "v2"', [write("notes/a.txt", "v2")]],
  ['overwrite notes/a.txt with "v2"', [write("notes/a.txt", "v2")]],
  [
    "Write the following to notes/a.txt:\nline one\nline two",
    [write("notes/a.txt", "line one\nline two")],
  ],
  [
    "Write this to notes/a.txt: line one\ndelete b.txt",
    [write("notes/a.txt", "line one"), remove("b.txt")],
  ],
  ["write `code` to a.js", [write("a.js", "code")]],
  [
    'please write "Meeting at 10:30" to notes/cal.txt and read notes/cal.txt',
    [write("notes/cal.txt", "Meeting at 10:30"), read("notes/cal.txt")],
  ],
  ['write "x" to drafts/../x.txt', [write("drafts/../x.txt", "x")]],
  ["jot down call Anna in notes/todo.txt", [write("notes/todo.txt", "call Anna")]],
  ['In notes/a.txt put "hi"', [write("notes/a.txt", "hi")]],
  [
    'email a@x.com and b@x.com with subject "Hi" and body "there"',
    [mail({ to: ["a@x.com", "b@x.com"], subject: "Hi", body: "there" })],
  ],
  [
    'send an email to a@x.com, b@x.com, c@x.com about "lunch" saying "at noon"',
    [mail({ to: ["a@x.com", "b@x.com", "c@x.com"], subject: "lunch", body: "at noon" })],
  ],
  [
    'mail bob@x.com "Hello" "How are you?"',
    [mail({ to: ["bob@x.com"], subject: "Hello", body: "How are you?" })],
  ],
  ["email bob@x.com saying I'll be late", [mail({ to: ["bob@x.com"], body: "I'll be late" })]],
  ["tell bob@x.com that lunch is at noon", [mail({ to: ["bob@x.com"], body: "lunch is at noon" })]],
  [
    "send bob@x.com a mail with the subject Lunch and the body See you at noon",
    [mail({ to: ["bob@x.com"], subject: "Lunch", body: "See you at noon" })],
  ],
  [
    'Email bob@x.com cc amy@x.com subject "S" body "B"',
    [mail({ to: ["bob@x.com"], subject: "S", body: "B", cc: ["amy@x.com"] })],
  ],
  [
    "email bob@x.com, subject: Lunch, body: At noon, then home",
    [mail({ to: ["bob@x.com"], subject: "Lunch", body: "At noon, then home" })],
  ],
  [
    'Write an email to bob@x.com with the subject "S" saying "B"',
    [mail({ to: ["bob@x.com"], subject: "S", body: "B" })],
  ],
  ["drop bob@x.com a line: lunch at noon", [mail({ to: ["bob@x.com"], body: "lunch at noon" })]],
  [
    'send an e-mail to bob@x.com; subject "Hi"; body "yo"',
    [mail({ to: ["bob@x.com"], subject: "Hi", body: "yo" })],
  ],
  ['Send a message saying "done" to bob@x.com', [mail({ to: ["bob@x.com"], body: "done" })]],
  ["email bob@x.com about the Q3 report", [mail({ to: ["bob@x.com"], subject: "the Q3 report" })]],
  ["refund order A-1001 by 250 EUR", [refund({ order: "A-1001", amount: 250, currency: "EUR" })]],
  [
    "refund 1,200.50 dollars for order #1234 because it arrived broken",
    [refund({ order: "1234", amount: 1200.5, currency: "USD", reason: "it arrived broken" })],
  ],
  ["Refund order 1001 with 300", [refund({ order: "1001", amount: 300, currency: "EUR" })]],
  ["refund $20 to order 77", [refund({ order: "77", amount: 20, currency: "USD" })]],
  [
    'issue a refund of 99 USD for order SO-7, reason: "late delivery"',
    [refund({ order: "SO-7", amount: 99, currency: "USD", reason: "late delivery" })],
  ],
  ["give 50 euros back for order A-9", [refund({ order: "A-9", amount: 50, currency: "EUR" })]],
  [
    "refund ¥300 on order 55 and notify the customer",
    [refund({ order: "55", amount: 300, currency: "CNY", notify: true })],
  ],
  [
    "refund order 55 by 300 yuan without notifying the customer",
    [refund({ order: "55", amount: 300, currency: "CNY", notify: false })],
  ],
  [
    "send 50 EUR back to the customer of order A-1",
    [refund({ order: "A-1", amount: 50, currency: "EUR" })],
  ],
  [
    "refund order A-1 10 EUR and order A-2 20 EUR",
    [
      refund({ order: "A-1", amount: 10, currency: "EUR" }),
      refund({ order: "A-2", amount: 20, currency: "EUR" }),
    ],
  ],
  [
    "refund 50 EUR for A-1, then refund 60 EUR for A-2",
    [
      refund({ order: "A-1", amount: 50, currency: "EUR" }),
      refund({ order: "A-2", amount: 60, currency: "EUR" }),
    ],
  ],
  [
    'refund order A-1002 1500 EUR because the screen arrived broken, and email bob@x.com with subject "Refund" and body "On its way"',
    [
      refund({
        order: "A-1002",
        amount: 1500,
        currency: "EUR",
        reason: "the screen arrived broken",
      }),
      mail({ to: ["bob@x.com"], subject: "Refund", body: "On its way" }),
    ],
  ],
  ["refund EUR 1200 order A-1", [refund({ order: "A-1", amount: 1200, currency: "EUR" })]],
  ["refund A-1001 1.5k EUR", [refund({ order: "A-1001", amount: 1500, currency: "EUR" })]],
  [
    "process a full refund for order 9912: 45.00 euro",
    [refund({ order: "9912", amount: 45, currency: "EUR" })],
  ],
  ["ask me which colour I like", [ask("Which colour do you like?")]],
  ["Ask me whether I want tea or coffee", [ask("Do you want tea or coffee?")]],
  ['ask me "Red or blue?"', [ask("Red or blue?")]],
  ["ask me first whether to delete notes/a.txt", [ask()]],
  [
    "ask me which colour I like, then write it to notes/colour.txt",
    [ask("Which colour do you like?"), write("notes/colour.txt")],
  ],
  [
    "ask me which colour I like and then delete notes/a.txt",
    [ask("Which colour do you like?"), remove("notes/a.txt")],
  ],
  ["First ask me what to call it, then read a.txt", [ask(), read("a.txt")]],
  ["Before you start, ask me which format I want", [ask("Which format do you want?")]],
  [
    "read notes/today.md and email it to bob@x.com",
    [read("notes/today.md"), mail({ to: ["bob@x.com"] })],
  ],
  ["hello", []],
  ["what can you do?", []],
  ["thanks!", []],
  ["what's the weather like?", []],
  [
    'read notes/today.md, write "ok" to reports/x.md, delete reports/q3.md, archive notes/today.md, email bob@x.com subject "S" body "B", refund order A-1 1200 EUR and ask me which colour I like',
    [
      read("notes/today.md"),
      write("reports/x.md", "ok"),
      remove("reports/q3.md"),
      archive("notes/today.md"),
      mail({ to: ["bob@x.com"], subject: "S", body: "B" }),
      refund({ order: "A-1", amount: 1200, currency: "EUR" }),
      ask(),
    ],
  ],
  ["and/or delete 24/7", []],
  ["Delete reports/q3.md. Thanks!", [remove("reports/q3.md")]],
  [
    "can you tidy up? delete tmp/a.log and tmp/b.log; also archive reports/q3.md",
    [remove("tmp/a.log"), remove("tmp/b.log"), archive("reports/q3.md")],
  ],
  ["write 5 to notes/n.txt", [write("notes/n.txt", "5")]],
  [
    "write hello to a.txt then read a.txt then delete a.txt",
    [write("a.txt", "hello"), read("a.txt"), remove("a.txt")],
  ],
  [
    'write "The quick brown fox" into the file drafts/fox.txt',
    [write("drafts/fox.txt", "The quick brown fox")],
  ],
  ['replace the contents of notes/a.txt with "new text"', [write("notes/a.txt", "new text")]],
  ["What’s in notes/today.md?", [read("notes/today.md")]],
  ["pls read me notes/today.md", [read("notes/today.md")]],
  ["could you check what's written in reports/q3.md", [read("reports/q3.md")]],
  [
    "I want to see reports/q3.md and then delete it",
    [read("reports/q3.md"), remove("reports/q3.md")],
  ],
  ["open the file notes/today.md", [read("notes/today.md")]],
  ["summarize reports/q3.md", [read("reports/q3.md")]],
  ["what does the file reports/q3.md contain", [read("reports/q3.md")]],
  ["Can I see notes/today.md?", [read("notes/today.md")]],
  ["I'd like you to delete reports/q3.md", [remove("reports/q3.md")]],
  ["please go ahead and remove notes/today.md for good", [remove("notes/today.md")]],
  ["get rid of both a.txt and b.txt", [remove("a.txt"), remove("b.txt")]],
  ["Throw reports/q3.md away", [remove("reports/q3.md")]],
  [
    "Erase the file called notes/old.md, then show me notes/today.md",
    [remove("notes/old.md"), read("notes/today.md")],
  ],
  ["Move reports/q3.md into the archive folder", [archive("reports/q3.md")]],
  ["Send reports/q3.md to the archive", [archive("reports/q3.md")]],
  [
    "archive reports/q3.md and notes/today.md",
    [archive("reports/q3.md"), archive("notes/today.md")],
  ],
  ["Please archive the file reports/q3.md.", [archive("reports/q3.md")]],
  ['Write a file notes/x.txt with the content "abc"', [write("notes/x.txt", "abc")]],
  ['write a note to notes/x.txt that says "abc"', [write("notes/x.txt", "abc")]],
  ['Save the text "abc" to notes/x.txt', [write("notes/x.txt", "abc")]],
  ['Store "abc" under notes/x.txt', [write("notes/x.txt", "abc")]],
  ["create notes/x.txt: abc def", [write("notes/x.txt", "abc def")]],
  ['Create notes/x.txt and write "abc" into it', [write("notes/x.txt", "abc")]],
  [
    'make notes/x.txt with "abc, def; then delete y.txt"',
    [write("notes/x.txt", "abc, def; then delete y.txt")],
  ],
  [
    "Please write the sentence 'We meet at 9' into drafts/plan.txt.",
    [write("drafts/plan.txt", "We meet at 9")],
  ],
  [
    "Add a new file drafts/plan.txt with 'We meet at 9'",
    [write("drafts/plan.txt", "We meet at 9")],
  ],
  ['write "a.txt" to b.txt', [write("b.txt", "a.txt")]],
  [
    'put the words "hello you" in drafts/greeting.txt please',
    [write("drafts/greeting.txt", "hello you")],
  ],
  [
    "Can you put “x” into notes/a.txt and “y” into notes/b.txt?",
    [write("notes/a.txt", "x"), write("notes/b.txt", "y")],
  ],
  ["send an email to bob@x.com", []],
  [
    'Send bob@x.com an email with subject "Hi" and the text "Hello Bob"',
    [mail({ to: ["bob@x.com"], subject: "Hi", body: "Hello Bob" })],
  ],
  ["email bob@x.com: lunch is at noon", [mail({ to: ["bob@x.com"], body: "lunch is at noon" })]],
  ["Write to bob@x.com: lunch is at noon", [mail({ to: ["bob@x.com"], body: "lunch is at noon" })]],
  [
    "Email bob@x.com and tell him lunch is at noon",
    [mail({ to: ["bob@x.com"], body: "lunch is at noon" })],
  ],
  [
    'send a mail to a@x.com and b@x.com titled "T" with body "B" and archive c.txt',
    [mail({ to: ["a@x.com", "b@x.com"], subject: "T", body: "B" }), archive("c.txt")],
  ],
  [
    "To: bob@x.com\nSubject: Hi\nBody: Hello",
    [mail({ to: ["bob@x.com"], subject: "Hi", body: "Hello" })],
  ],
  [
    'Let bob@x.com know that "the report is ready"',
    [mail({ to: ["bob@x.com"], body: "the report is ready" })],
  ],
  [
    'mail "See you" to bob@x.com with subject "Bye"',
    [mail({ to: ["bob@x.com"], subject: "Bye", body: "See you" })],
  ],
  [
    "Refund 1500 EUR for order A-1002 since the screen was broken",
    [refund({ order: "A-1002", amount: 1500, currency: "EUR", reason: "the screen was broken" })],
  ],
  [
    "please refund the customer of order A-1001 250 euros",
    [refund({ order: "A-1001", amount: 250, currency: "EUR" })],
  ],
  ["refund order #A-1001 for $250.00", [refund({ order: "A-1001", amount: 250, currency: "USD" })]],
  ["Order A-1001: refund 250 EUR", [refund({ order: "A-1001", amount: 250, currency: "EUR" })]],
  ["refund A-1001 €250", [refund({ order: "A-1001", amount: 250, currency: "EUR" })]],
  [
    "Issue a 250 EUR refund for order A-1001",
    [refund({ order: "A-1001", amount: 250, currency: "EUR" })],
  ],
  [
    "I'd like to refund 2,500 USD on order 4711, reason: wrong item; notify the customer",
    [refund({ order: "4711", amount: 2500, currency: "USD", reason: "wrong item", notify: true })],
  ],
  ["give order A-1001 100 EUR back", [refund({ order: "A-1001", amount: 100, currency: "EUR" })]],
  ["reimburse 40 EUR for order 12", [refund({ order: "12", amount: 40, currency: "EUR" })]],
  ["Ask me if I want sugar", [ask("Do you want sugar?")]],
  ['ask the user "Proceed?" and then delete a.txt', [ask("Proceed?"), remove("a.txt")]],
  ["ask me what my favourite animal is", [ask()]],
  ["Please check with me which colour to use", [ask("Which colour should I use?")]],
  ["Ask me a question: do you like tea?", [ask("do you like tea?")]],
  [
    "read notes/today.md\ndelete reports/q3.md\nrefund order A-1 5 EUR",
    [
      read("notes/today.md"),
      remove("reports/q3.md"),
      refund({ order: "A-1", amount: 5, currency: "EUR" }),
    ],
  ],
  [
    "First read notes/today.md, second delete reports/q3.md",
    [read("notes/today.md"), remove("reports/q3.md")],
  ],
  [
    'Delete a.txt and write "b" to c.txt; email d@x.com subject "e" body "f", then refund order 7 by 8 USD',
    [
      remove("a.txt"),
      write("c.txt", "b"),
      mail({ to: ["d@x.com"], subject: "e", body: "f" }),
      refund({ order: "7", amount: 8, currency: "USD" }),
    ],
  ],
  ["What do you think about deleting a.txt?", [remove("a.txt")]],
  ["Is a.txt important?", []],
  ["write hello to ../x.txt", [write("../x.txt", "hello")]],
  ['write "hello" to /tmp/x.txt', [write("/tmp/x.txt", "hello")]],
];

test.each(REQUESTS)("%j", (say, expected) => {
  const requests = understand(say);
  expect(requests.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
  expect(requests).toMatchObject(expected);
});

test("a text of many lines is understood in a moment", () => {
  const line = "and this, which is no request, goes on and on; then it stops.";
  const start = performance.now();
  expect(understand(`read a.txt\n${`${line}\n`.repeat(100)}delete b.txt`)).toEqual([
    read("a.txt"),
    remove("b.txt"),
  ]);
  expect(performance.now() - start).toBeLessThan(10_000);
});
