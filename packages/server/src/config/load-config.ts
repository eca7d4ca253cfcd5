import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { existsSync } from "node:fs";
import { HoldpointError } from "@holdpoint/core";
import { type HoldpointConfig, readConfig } from "./config.ts";
import { firstLine } from "../web/first-line.ts";

/** Loads a `holdpoint.config.ts`; throws `config_invalid` with one sentence that names the file. */
export async function loadConfig(path: string): Promise<HoldpointConfig> {
  const file = resolve(path);
  if (!existsSync(file)) {
    throw new HoldpointError(
      "config_invalid",
      `There is no configuration file ${path}; create it with export default defineConfig({ agents: { … } }), or name another with --config.`,
    );
  }
  const loaded: unknown = await import(pathToFileURL(file).href).catch((cause: unknown) => {
    throw new HoldpointError(
      "config_invalid",
      `The configuration file ${path} could not be loaded: ${firstLine(cause)}. Correct it and start again.`,
      { cause },
    );
  });
  const exported =
    typeof loaded === "object" && loaded !== null && "default" in loaded
      ? loaded.default
      : undefined;
  return readConfig(exported, path);
}
