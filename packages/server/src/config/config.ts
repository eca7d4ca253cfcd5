import { HoldpointError } from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import type { HostedAgent } from "@holdpoint/langchain";
import { z } from "zod";

/** What an agent is built from. */
export type AgentContext = {
  readonly holdpoint: Engine;
  /** Where the server keeps its data; an agent may keep its own beside it. */
  readonly dataFolder: string;
};

const localized = z.strictObject({ en: z.string(), "zh-CN": z.string() });
const suggestions = z.strictObject({ en: z.array(z.string()), "zh-CN": z.array(z.string()) });

const agentSchema = z.strictObject({
  title: localized,
  notice: localized.optional(),
  suggestions: suggestions.optional(),
  create: z.custom<(context: AgentContext) => Promise<HostedAgent> | HostedAgent>(
    (value) => typeof value === "function",
    "must be a function that returns the agent",
  ),
});

const configSchema = z.strictObject({
  agents: z.record(z.string().min(1), agentSchema),
  /** Where the state lives, when the environment does not say: `file:…` or `postgres://…`. */
  database: z.string().min(1).optional(),
  /** A Postgres address past any pooler, on which this server hears at once what others do. */
  directAddress: z.string().min(1).optional(),
});

/** The configuration of a server: the agents it hosts, and its database. */
export type HoldpointConfig = z.infer<typeof configSchema>;

/** One agent of the configuration. */
export type AgentConfig = HoldpointConfig["agents"][string];

/** Types a `holdpoint.config.ts`; the file's default export is what this returns. */
export function defineConfig(config: HoldpointConfig): HoldpointConfig {
  return config;
}

/** Reads a configuration; throws `config_invalid` that names the key. */
export function readConfig(value: unknown, source: string): HoldpointConfig {
  const read = configSchema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const key = issue?.path.map(String).join(".") ?? "";
  const stray = issue?.code === "unrecognized_keys" ? ` (${issue.keys.join(", ")})` : "";
  throw new HoldpointError(
    "config_invalid",
    `${source} has a mistake at "${key === "" ? "default export" : key}": ${issue?.message ?? "not a configuration"}${stray}. Correct it and start again.`,
    { details: { key } },
  );
}
