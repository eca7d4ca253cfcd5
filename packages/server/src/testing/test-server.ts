import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdAgent, type InterruptOn } from "@holdpoint/langchain";
import { callsOnce, type Script, ScriptedModel } from "@holdpoint/langchain/testing";
import { tool } from "langchain";
import { z } from "zod";
import { type AgentConfig, defineConfig } from "../config/config.ts";
import { type RunningServer, startServer } from "../server.ts";

/** A running server with one agent that wants to write a file, and a client that is signed in. */
export type TestServer = {
  readonly server: RunningServer;
  readonly dataFolder: string;
  /** What the tool really did. */
  readonly ran: readonly string[];
  readonly request: (
    path: string,
    init?: { method?: string; body?: unknown; text?: string; key?: string },
  ) => Promise<Reply>;
  readonly cookie: string;
  readonly command: (threadId: string, method: string, params: unknown) => Promise<Reply>;
};

/** An answer of the server, its body read as JSON. */
export type Reply = { readonly status: number; readonly body: Record<string, unknown> };

/** Starts a server on a free port over a new or an existing data folder. */
export async function startTestServer(
  options: {
    readonly dataFolder?: string;
    readonly script?: Script;
    /** True when the tool runs without asking, or the paths for which it does. */
    readonly free?: boolean | readonly string[];
    /** What the tool waits for before it does its work. */
    readonly wait?: () => Promise<void>;
    readonly fails?: string;
    /** Another agent than the writer of files. */
    readonly create?: AgentConfig["create"];
  } = {},
): Promise<TestServer> {
  const dataFolder = options.dataFolder ?? newDataFolder();
  const ran: string[] = [];
  const write = tool(
    async ({ path, text }) => {
      await options.wait?.();
      ran.push(`${path}=${text}`);
      return `wrote ${path}`;
    },
    {
      name: "write",
      description: "writes a file",
      schema: z.object({ path: z.string(), text: z.string() }),
    },
  );
  const config = defineConfig({
    agents: {
      writer: {
        title: { en: "Writer", "zh-CN": "写手" },
        create: (context) => {
          if (options.create !== undefined) return options.create(context);
          const { holdpoint } = context;
          if (options.fails !== undefined) throw new Error(options.fails);
          const script =
            options.script ?? callsOnce({ name: "write", args: { path: "a", text: "x" } });
          return holdAgent({
            name: "writer",
            model: new ScriptedModel(script),
            tools: [write],
            holdpoint,
            interruptOn: { write: ruleFor(options.free ?? false) },
          });
        },
      },
    },
  });
  const server = await startServer({ config, dataFolder, port: 0 });
  const cookie = await signIn(server);
  const request: TestServer["request"] = async (path, init = {}) => {
    const body = init.text ?? (init.body === undefined ? undefined : JSON.stringify(init.body));
    const response = await fetch(`${server.url}${path}`, {
      method: init.method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        cookie,
        "content-type": "application/json",
        ...(init.key === undefined ? {} : { "idempotency-key": init.key }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      body: (await response.json().catch(() => ({}))) as Reply["body"],
    }; // every route answers JSON
  };
  return {
    server,
    dataFolder,
    ran,
    request,
    cookie,
    command: (threadId, method, params) =>
      request(`/threads/${threadId}/commands`, { body: { id: 1, method, params } }),
  };
}

function ruleFor(free: boolean | readonly string[]): InterruptOn[string] {
  if (typeof free === "boolean") return !free;
  return {
    allowedDecisions: ["approve", "reject"],
    when: ({ toolCall }) => !free.includes(String(toolCall.args["path"])),
  };
}

const folders: string[] = [];
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-server-"));
  folders.push(folder);
  return folder;
}

async function signIn(server: RunningServer): Promise<string> {
  const token = (await server.createLink()).split("/").at(-1) ?? "";
  const response = await fetch(`${server.url}/api/session`, {
    method: "POST",
    body: JSON.stringify({ token }),
  });
  return response.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}
