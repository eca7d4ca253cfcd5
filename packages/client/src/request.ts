import { type Refusal, refusalOf } from "@holdpoint/core";
import type { Failure, Reply } from "./reply.ts";

/** Where and how requests are sent. */
export type Transport = {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly token: string | undefined;
};

/** One request: a GET without a body, a POST with one. */
export type ApiRequest<T> = {
  readonly path: string;
  readonly body?: unknown;
  /** Reads the body of a good answer; `undefined` when it has another shape than agreed. */
  readonly read: (body: unknown) => T | undefined;
};

/** Sends one request and turns every expected end of it into a value; never throws. */
export async function sendRequest<T>(
  transport: Transport,
  request: ApiRequest<T>,
): Promise<Reply<T>> {
  let response: Response;
  let text: string;
  try {
    response = await transport.fetch(
      `${transport.baseUrl}${request.path}`,
      initOf(transport, request),
    );
    text = await response.text();
  } catch {
    return { type: "unreachable" };
  }
  const body = parsed(text);
  if (!response.ok) return failureFrom(response.status, body);
  const value = request.read(body);
  return value === undefined
    ? refused({
        code: "internal",
        message: `The answer to ${pathOnly(request)} has an unexpected shape; the page and the server may be of different versions. Reload the page.`,
      })
    : { type: "ok", value };
}

function initOf<T>(transport: Transport, request: ApiRequest<T>): RequestInit {
  const headers: Record<string, string> = { accept: "application/json" };
  if (transport.token !== undefined) headers["authorization"] = `Bearer ${transport.token}`;
  if (request.body === undefined) return { headers };
  headers["content-type"] = "application/json";
  return { method: "POST", headers, body: JSON.stringify(request.body) };
}

/** Every answer that is not 2xx carries `{ error: { code, message, details } }`; a proxy's may not. */
function failureFrom(status: number, body: unknown): Failure {
  const error =
    typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refused(refusal);
  if (status === 502 || status === 503 || status === 504) return { type: "unreachable" };
  return refused({
    code: status === 401 ? "unauthorized" : "internal",
    message: messageOf(error) ?? `The server answered with status ${status} and gave no reason.`,
  });
}

function messageOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("message" in error)) return undefined;
  return typeof error.message === "string" ? error.message : undefined;
}

function refused(refusal: Refusal): Failure {
  return { type: "refused", refusal };
}

function pathOnly<T>(request: ApiRequest<T>): string {
  return request.path.split("?")[0] ?? request.path;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
