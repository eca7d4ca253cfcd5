import { expect, test } from "vitest";
import { chooseModel } from "./choose-model.ts";

test("without MODEL the built-in rules answer, and say that they are no AI", async () => {
  const chosen = await chooseModel({});
  expect(chosen).toMatchObject({ name: "built-in rules", builtIn: true });
  expect(chosen.notice?.en).toContain("not an AI");
  expect(chosen.notice?.["zh-CN"]).toContain("不是 AI");
});

test.each([
  ["openai:gpt-5", "OPENAI_API_KEY"],
  ["anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY"],
  ["deepseek:deepseek-chat", "DEEPSEEK_API_KEY"],
])("%s needs %s: without it the rules answer and the notice names it", async (name, variable) => {
  const fallback = await chooseModel({ MODEL: name, [variable]: " " });
  expect(fallback.builtIn).toBe(true);
  for (const notice of Object.values(fallback.notice ?? {})) {
    expect(notice).toContain(variable);
    expect(notice).toContain(name);
  }
  const chosen = await chooseModel({ MODEL: name, [variable]: "a-key" });
  expect(chosen).toMatchObject({ name, builtIn: false });
  expect(chosen.notice).toBeUndefined();
});

test.each(["mistral:large", "gpt-5", "openai:", "constructor:x"])(
  "MODEL=%s is an error that says what is possible",
  async (name) => {
    await expect(chooseModel({ MODEL: name })).rejects.toThrow(
      `MODEL is "${name}", but it has to be "openai:…", "anthropic:…" or "deepseek:…"`,
    );
  },
);

test("OPENAI_BASE_URL points to another endpoint, which gets the key", async () => {
  const { createServer } = await import("node:http");
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url, request.headers.authorization);
    const message = { role: "assistant", content: "Hello." };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address && typeof address === "object" ? address.port : 0;
  const env = {
    MODEL: "openai:some-model",
    OPENAI_API_KEY: "a-key",
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  };
  const { model } = await chooseModel(env);
  expect((await model.invoke("Hi")).text).toBe("Hello.");
  expect(asked).toEqual(["/v1/chat/completions", "Bearer a-key"]);
  await new Promise((resolve) => server.close(resolve));
});
