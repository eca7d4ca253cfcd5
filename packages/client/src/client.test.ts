import { describe, expect, test } from "vitest";
import { createClient } from "./client.ts";

const review = {
  id: "rev_1",
  status: "open",
  cause: "policy",
  threadId: "thread-1",
  agent: "demo",
  turnId: "turn-1",
  interruptId: "interrupt-1",
  createdAt: "2026-11-30T14:00:00.000Z",
  actions: [
    {
      id: "act_1",
      toolCallId: "call-1",
      name: "send_email",
      args: { to: "a@b.c" },
      digest: "sha256:1",
      allowedDecisions: ["approve", "reject"],
      rule: "mail",
      reason: "Mail cannot be taken back.",
      reasonCode: "always",
      status: "open",
    },
  ],
};

function clientAnswering(status: number, body: string | object) {
  const requests: { url: string; init: RequestInit | undefined }[] = [];
  const client = createClient({
    baseUrl: "http://server/",
    token: "secret",
    fetch: async (input, init) => {
      requests.push({ url: input instanceof Request ? input.url : input.toString(), init });
      return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
    },
  });
  return { client, requests };
}

describe("the client", () => {
  test("lists reviews with status, order and cursor, under its token", async () => {
    const { client, requests } = clientAnswering(200, { reviews: [review], next: "c2" });
    const reply = await client.reviews({ status: "open", order: "oldest", cursor: "c1", limit: 5 });
    expect(reply).toEqual({ type: "ok", value: { reviews: [review], next: "c2" } });
    expect(requests[0]?.url).toBe(
      "http://server/api/reviews?status=open&order=oldest&cursor=c1&limit=5",
    );
    expect(new Headers(requests[0]?.init?.headers).get("authorization")).toBe("Bearer secret");
  });

  test("sends decisions by action id and gives back the review as it now stands", async () => {
    const { client, requests } = clientAnswering(200, review);
    const result = await client.decide("rev_1", [
      { actionId: "act_1", decision: { type: "approve" } },
    ]);
    expect(result).toEqual({ type: "recorded", review });
    expect(requests[0]?.url).toBe("http://server/api/reviews/rev_1/decisions");
    expect(requests[0]?.init?.method).toBe("POST");
    expect(requests[0]?.init?.body).toBe(
      '{"decisions":[{"actionId":"act_1","decision":{"type":"approve"}}]}',
    );
  });

  test("a refusal is a value with its code, message and details", async () => {
    const error = { code: "already_decided", message: "Too late.", details: { by: "Anna" } };
    const { client } = clientAnswering(409, { error });
    expect(await client.decide("rev_1", [])).toEqual({ type: "refused", refusal: error });
  });

  test("no answer, or a proxy that has none, is unreachable", async () => {
    const client = createClient({
      baseUrl: "",
      fetch: () => Promise.reject(new TypeError("fetch failed")),
    });
    expect(await client.session()).toEqual({ type: "unreachable" });
    expect(await clientAnswering(502, "<html>").client.session()).toEqual({ type: "unreachable" });
  });

  test("an unknown error keeps its message and becomes internal", async () => {
    const { client } = clientAnswering(418, {
      error: { code: "teapot", message: "Short and stout." },
    });
    expect(await client.session()).toEqual({
      type: "refused",
      refusal: { code: "internal", message: "Short and stout." },
    });
    expect(await clientAnswering(401, "").client.session()).toMatchObject({
      refusal: { code: "unauthorized" },
    });
  });

  test("an answer of another shape is refused, not passed on", async () => {
    const { client } = clientAnswering(200, { ...review, actions: [] });
    expect(await client.review("rev_1")).toMatchObject({
      type: "refused",
      refusal: { code: "internal" },
    });
  });

  test("reads who is signed in and which agents there are", async () => {
    const reviewer = { id: "u1", name: "Anna" };
    expect(await clientAnswering(200, { reviewer }).client.enter("t")).toEqual({
      type: "ok",
      value: { reviewer },
    });
    const agents = [
      { name: "bare", title: { en: "Bare", "zh-CN": "空" } },
      {
        name: "demo",
        title: { en: "Demo", "zh-CN": "演示" },
        notice: { en: "Scripted", "zh-CN": "脚本" },
        suggestions: { en: ["Hi"], "zh-CN": ["你好"] },
      },
    ];
    expect(await clientAnswering(200, { agents }).client.agents()).toEqual({
      type: "ok",
      value: { agents },
    });
    expect(await clientAnswering(200, { agents: [{}] }).client.agents()).toMatchObject({
      type: "refused",
    });
  });
});
