import type { ActionView, ReviewView } from "@holdpoint/core";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { ReviewCard } from "./review-card.tsx";

function cardOf(action: Partial<ActionView>, review: Partial<ReviewView> = {}): string {
  const whole: ReviewView = {
    id: "rev_1",
    status: "open",
    cause: "policy",
    threadId: "t",
    agent: "support",
    turnId: "m",
    interruptId: "i",
    createdAt: "2026-11-30T14:00:00.000Z",
    actions: [
      {
        id: "act_1",
        toolCallId: "c",
        name: "send_email",
        args: {},
        digest: "d",
        allowedDecisions: ["approve", "edit", "reject"],
        rule: "mail",
        reason: "Mail cannot be taken back.",
        reasonCode: "always",
        status: "open",
        ...action,
      },
    ],
    ...review,
  };
  const submit = () => Promise.resolve({ type: "unreachable" as const });
  return renderToStaticMarkup(<ReviewCard review={whole} submit={submit} />);
}

describe("the approval card", () => {
  test("offers only the allowed decisions, and none of them has the focus", () => {
    const html = cardOf({ allowedDecisions: ["reject", "respond"] });
    expect(html).toContain('data-testid="reject"');
    expect(html).toContain('data-testid="respond"');
    expect(html).not.toContain('data-testid="approve"');
    expect(html).not.toContain('data-testid="edit"');
    expect(html).not.toMatch(/autofocus|<form|type="submit"/i);
  });

  test("says which subagent asks, whatever its name hides", () => {
    const html = cardOf(
      {},
      {
        agent: "lead/writer",
        agentPath: ["lead", "wri\u202Eter"],
        parentCall: { toolCallId: "call_1", name: "task" },
      },
    );
    expect(html).toContain("Asked by lead");
    expect(html).toContain("lead → wri");
    expect(html).toContain("inside the call to task");
    expect(html).not.toContain("\u202E");
    expect(cardOf({})).not.toContain('data-testid="subagent"');
  });

  test("says until when to decide, while it is open", () => {
    const deadline = { at: "2026-11-30T18:00:00.000Z", outcome: "rejected" } as const;
    expect(cardOf({}, { deadline })).toContain("Decide before");
    expect(cardOf({}, { deadline, status: "closed" })).not.toContain("Decide before");
    expect(cardOf({})).not.toContain('data-testid="deadline"');
  });

  test("names the tool in plain words and as it is, and why it is held", () => {
    const html = cardOf({});
    expect(html).toContain("Send email");
    expect(html).toContain("send_email");
    expect(html).toContain("Mail cannot be taken back.");
  });

  test("puts what the rule's author wrote before the general reason and the rule's name", () => {
    const html = cardOf({ description: "Mail leaves the house." });
    const places = ["Mail leaves the house.", "Mail cannot be taken back.", "(Rule: mail)"].map(
      (text) => html.indexOf(text),
    );
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places).not.toContain(-1);
    expect(html.match(/Mail leaves the house\./g)).toHaveLength(1);
  });

  test("after an approved edit it shows what ran and says that it was changed", () => {
    const html = cardOf(
      {
        args: { to: "anna@example.org" },
        status: "decided",
        outcome: {
          type: "approved",
          edited: true,
          call: { name: "send_email", args: { to: "bo@example.org" } },
        },
      },
      { status: "decided" },
    );
    const [before = ""] = html.split('data-testid="outcome"');
    expect(before).toContain("bo@example.org");
    expect(before).not.toContain("anna@example.org");
    expect(html).toMatch(/role="status"[^>]*>Approved with changes</);
  });

  test("shows hidden characters of every text as codes, with a warning", () => {
    const html = cardOf({
      name: "send\u200Bemail",
      reason: "be\u202Eause",
      args: { "k\u200Bey": { deep: ["a\u202Eb"] } },
      description: "fine\u2066",
    });
    expect(html).not.toMatch(/[\u200B\u202E\u2066]/);
    expect(html).toContain("\\u{202E}");
    expect(html).toContain('data-testid="hidden-warning"');
  });

  test("markup in arguments is text", () => {
    expect(cardOf({ args: { body: "<img src=x onerror=alert(1)>" } })).not.toContain("<img");
  });

  test("empty text, null, nothing and false are told apart", () => {
    const html = cardOf({ args: { a: "", b: null, c: [], d: {}, e: false } });
    for (const shown of ["empty text", ">null<", "empty list", "nothing inside", ">false<"]) {
      expect(html).toContain(shown);
    }
  });

  test("a long text is folded and says how long it is", () => {
    const html = cardOf({ args: { body: "x".repeat(1300) } });
    expect(html).toContain("1,300 bytes");
    expect(html.length).toBeLessThan(cardOf({ args: { body: "x".repeat(1200) } }).length);
  });

  test("a question is shown once, and prominently, where it can be answered", () => {
    const html = cardOf({ allowedDecisions: ["respond"], args: { question: "Which one?" } });
    expect(html.match(/Which one\?/g)).toHaveLength(1);
    expect(html).toContain('data-testid="question"');
  });

  test("a card shows its title as the question, its context, and its fields only where they are filled in", () => {
    const fields = [{ name: "amount", label: "Amount to pay back", type: "number" }];
    const html = cardOf({
      name: "refund",
      reasonCode: "question",
      allowedDecisions: ["respond"],
      answerSchema: { type: "object", properties: { amount: { type: "number" } } },
      args: { formType: "refund", title: "Refund order 17?", context: { paid: 120 }, fields },
    });
    expect(html.match(/Refund order 17\?/g)).toHaveLength(1);
    expect(html).toContain("120");
    expect(html).not.toContain("Amount to pay back");
    expect(html).toContain('data-testid="respond"');
  });

  test("a call that may have run says so, and its buttons say what they do", () => {
    const html = cardOf(
      { allowedDecisions: ["approve", "reject", "respond"] },
      { cause: "unknown_receipt" },
    );
    expect(html).toContain("This call may already have run");
    expect(html).toContain("Run it again");
    expect(html).toContain("Leave it");
  });

  test("a decided action shows its outcome, who gave it, and no buttons", () => {
    const html = cardOf(
      {
        status: "decided",
        outcome: { type: "rejected", message: "No, because it is late." },
        recorded: {
          decision: { type: "reject" },
          reviewer: { id: "u", name: "Anna" },
          at: "2026-11-30T14:02:00.000Z",
        },
      },
      { status: "decided" },
    );
    expect(html).toContain('data-testid="outcome"');
    expect(html).toContain("Anna");
    expect(html).toContain("No, because it is late.");
    expect(html).not.toContain('data-testid="approve"');
  });
});
