import { createClient } from "@holdpoint/client";
import { expect, test } from "vitest";
import { readOneTimeToken } from "./one-time-link.ts";
import { createSessionStore } from "./session-store.ts";

const ann = { id: "ann", name: "Ann" };

function storeOn(answer: (method: string) => Response) {
  const client = createClient({
    baseUrl: "http://localhost",
    fetch: async (_input, init) => answer(init?.method ?? "GET"),
  });
  return createSessionStore(client);
}

function unauthorized(): Response {
  return Response.json({ error: { code: "unauthorized", message: "No." } }, { status: 401 });
}

test("somebody who is signed in gets in", async () => {
  const session = storeOn(() => Response.json({ reviewer: ann }));
  await session.check();
  expect(session.get()).toEqual({ status: "signed_in", reviewer: ann });
});

test("nobody signed in is told to use the link", async () => {
  const session = storeOn(unauthorized);
  await session.check();
  expect(session.get()).toEqual({ status: "signed_out", because: "no_session" });
});

test("a used link is told apart from no session, and a good one gets in", async () => {
  const session = storeOn(unauthorized);
  await session.enter("old");
  expect(session.get()).toEqual({ status: "signed_out", because: "link_refused" });

  const entering = storeOn((method) =>
    method === "POST" ? Response.json({ reviewer: ann }) : unauthorized(),
  );
  await entering.enter("new");
  expect(entering.get()).toEqual({ status: "signed_in", reviewer: ann });
});

test("a server that does not answer is not taken for a signed-out one", async () => {
  const session = storeOn(() => {
    throw new TypeError("fetch failed");
  });
  await session.check();
  expect(session.get()).toEqual({ status: "unreachable" });
});

test("only the fragment of a one-time link holds a token", () => {
  expect(readOneTimeToken("#/enter/abc-DEF_123")).toBe("abc-DEF_123");
  expect(readOneTimeToken("#/enter/")).toBeUndefined();
  expect(readOneTimeToken("#/enter/a/b")).toBeUndefined();
  expect(readOneTimeToken("#waiting-cards")).toBeUndefined();
  expect(readOneTimeToken("")).toBeUndefined();
});

test("a used link opened again by somebody who is signed in lets them in", async () => {
  const session = storeOn((method) =>
    method === "POST" ? unauthorized() : Response.json({ reviewer: ann }),
  );
  await session.enter("old");
  expect(session.get()).toEqual({ status: "signed_in", reviewer: ann });
});
