import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("until-different.ts", import.meta.url));
const faulty = new URL("../faults/apply-fault.mjs", import.meta.url).href;

/** Faults of the saver, each with the number of seeds within which it is found; so many it took plus some. */
const controls = [
  { fault: "shallow-comparison", within: 100 },
  { fault: "cached-message-given-away", within: 100 },
  { fault: "removed-last-message-stays", within: 100 },
  { fault: "link-on-the-wrong-list", within: 100 },
  { fault: "task-path-lost", within: 400 },
  { fault: "default-changed-in-place-lost", within: 100 },
  { fault: "empty-field-forgotten", within: 100 },
];

test.each(controls)(
  "a saver with the fault $fault is found",
  { timeout: 120_000 },
  async ({ fault, within }) => {
    const child = spawn(
      process.execPath,
      ["--conditions=@holdpoint/source", "--import", faulty, program, "0", String(within - 1)],
      { env: { ...process.env, HOLDPOINT_FAULT: fault }, stdio: ["ignore", "pipe", "inherit"] },
    );
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await once(child, "close");
    expect(said).toContain(`fault ${fault} is in`);
    expect(said).toMatch(/different at seed \d+/u);
  },
);
