import {
  type NamedDecision,
  type Reviewer,
  type ReviewId,
  type ReviewPage,
  type ReviewView,
  reviewerSchema,
  reviewPageSchema,
  reviewViewSchema,
} from "@holdpoint/core";
import { type AgentSummary, readAgents } from "./agent-summary.ts";
import type { Reply, SubmitResult } from "./reply.ts";
import { type ApiRequest, sendRequest, type Transport } from "./request.ts";

/** Where the server is and how to reach it. */
export type ClientOptions = {
  /** The server's address without a trailing path; `""` in a page that the server itself serves. */
  readonly baseUrl: string;
  /** Used instead of the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** Sent as a bearer token; leave it out in a page, where a cookie carries the session. */
  readonly token?: string;
};

/** Which reviews to list. */
export type ReviewsQuery = {
  readonly status: "open" | "settled";
  readonly order: "newest" | "oldest";
  /** The `next` of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

/** The server's review API. Every expected end of a request is a return value. */
export type Client = {
  /** Who is signed in; refused with `unauthorized` when nobody is. */
  readonly session: () => Promise<Reply<{ readonly reviewer: Reviewer }>>;
  /** Trades a sign-in token for a session. */
  readonly enter: (token: string) => Promise<Reply<{ readonly reviewer: Reviewer }>>;
  readonly agents: () => Promise<Reply<{ readonly agents: AgentSummary[] }>>;
  readonly reviews: (query: ReviewsQuery) => Promise<Reply<ReviewPage>>;
  readonly review: (id: ReviewId) => Promise<Reply<ReviewView>>;
  /** Records decisions: all of them or none. The same ones again are safe. */
  readonly decide: (id: ReviewId, decisions: readonly NamedDecision[]) => Promise<SubmitResult>;
};

/** A typed client for a Holdpoint server, in a page or in Node. */
export function createClient(options: ClientOptions): Client {
  const transport: Transport = {
    baseUrl: options.baseUrl.replace(/\/$/, ""),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    token: options.token,
  };
  const send = <T>(request: ApiRequest<T>) => sendRequest(transport, request);
  return {
    session: () => send({ path: "/api/session", read: readSession }),
    enter: (token) => send({ path: "/api/session", body: { token }, read: readSession }),
    agents: () => send({ path: "/api/agents", read: readAgents }),
    reviews: (query) =>
      send({
        path: `/api/reviews?${searchOf(query)}`,
        read: (body) => reviewPageSchema.safeParse(body).data,
      }),
    review: (id) => send({ path: pathOf(id), read: readReview }),
    decide: async (id, decisions) => {
      const path = `${pathOf(id)}/decisions`;
      const reply = await send({ path, body: { decisions }, read: readReview });
      return reply.type === "ok" ? { type: "recorded", review: reply.value } : reply;
    },
  };
}

function pathOf(id: ReviewId): string {
  return `/api/reviews/${encodeURIComponent(id)}`;
}

function searchOf(query: ReviewsQuery): string {
  const search = new URLSearchParams({ status: query.status, order: query.order });
  if (query.cursor !== undefined) search.set("cursor", query.cursor);
  if (query.limit !== undefined) search.set("limit", String(query.limit));
  return search.toString();
}

function readReview(body: unknown): ReviewView | undefined {
  return reviewViewSchema.safeParse(body).data;
}

function readSession(body: unknown): { reviewer: Reviewer } | undefined {
  if (typeof body !== "object" || body === null || !("reviewer" in body)) return undefined;
  const reviewer = reviewerSchema.safeParse(body.reviewer).data;
  return reviewer === undefined ? undefined : { reviewer };
}
