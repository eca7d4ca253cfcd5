import { type Client, createClient } from "@holdpoint/client";
import type { ReviewView } from "@holdpoint/core";

/** A review API in memory behind the real client: the network's edge is all that is faked. */
export type FakeServer = {
  readonly client: Client;
  /** The reviews, newest first. */
  reviews: ReviewView[];
  /** What every request gets instead of an answer. */
  trouble: "none" | "unreachable" | "signed_out" | "broken";
  /** The paths asked for, oldest first. */
  readonly requests: string[];
};

/** Starts with the given reviews. */
export function fakeServer(reviews: readonly ReviewView[] = []): FakeServer {
  const server: FakeServer = {
    reviews: [...reviews],
    trouble: "none",
    requests: [],
    client: createClient({
      baseUrl: "http://localhost",
      fetch: (input) => {
        const url = new URL(input instanceof Request ? input.url : input);
        server.requests.push(`${url.pathname}${url.search}`);
        return answer(server, url);
      },
    }),
  };
  return server;
}

async function answer(server: FakeServer, url: URL): Promise<Response> {
  switch (server.trouble) {
    case "unreachable":
      throw new TypeError("fetch failed");
    case "signed_out":
      return refusal(401, "unauthorized");
    case "broken":
      return refusal(500, "internal");
    case "none":
      return url.pathname === "/api/reviews" ? list(server, url) : one(server, url);
    default:
      return server.trouble satisfies never;
  }
}

function list({ reviews }: FakeServer, { searchParams }: URL): Response {
  const open = searchParams.get("status") === "open";
  const listed = reviews.filter(({ status }) => (status === "open") === open);
  if (searchParams.get("order") === "oldest") listed.reverse();
  const from = Number(searchParams.get("cursor") ?? 0);
  const to = from + Number(searchParams.get("limit"));
  const next = to < listed.length ? { next: String(to) } : {};
  return Response.json({ reviews: listed.slice(from, to), ...next });
}

function one({ reviews }: FakeServer, { pathname }: URL): Response {
  // Sending decisions is answered with the review as it is: what a test puts here is what was recorded.
  const id = decodeURIComponent(
    pathname
      .replace(/\/decisions$/, "")
      .split("/")
      .at(-1) ?? "",
  );
  const review = reviews.find((candidate) => candidate.id === id);
  return review === undefined ? refusal(404, "review_not_found") : Response.json(review);
}

function refusal(status: number, code: string): Response {
  return Response.json({ error: { code, message: `It is ${code}.` } }, { status });
}
