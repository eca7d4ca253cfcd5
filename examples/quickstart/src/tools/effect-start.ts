import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** Called by every state-changing tool as its first step; the effect comes after it. */
export type StartEffect = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<void>;

/**
 * Makes the first step of a state-changing tool: one JSON line `{tool, args, at}` in
 * `<dataFolder>/effects.log`, the demo's own record of what was started, independent of
 * Holdpoint's. Then, for tests that crash the process in between, a pause of
 * `HOLDPOINT_TOOL_DELAY_MS` milliseconds.
 */
export function effectStart(options: {
  readonly dataFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): StartEffect {
  const log = join(options.dataFolder, "effects.log");
  const delay = Number(options.env["HOLDPOINT_TOOL_DELAY_MS"] ?? 0);

  return async (tool, args) => {
    await mkdir(options.dataFolder, { recursive: true });
    const line = JSON.stringify({ tool, args, at: new Date().toISOString() });
    // The "a" of appendFile is O_APPEND: lines of several processes do not overwrite each other.
    await appendFile(log, `${line}\n`);
    if (delay > 0) await wait(delay);
  };
}
