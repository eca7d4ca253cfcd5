// `npm start`: the quickstart agent, its server and the inbox in one process.
// HOLDPOINT_DATA names the data folder, PORT the port (0 is any free one).
import "./node-version.mjs";
import { join } from "node:path";
import process from "node:process";
import { buildInbox, isCurrent } from "./inbox-build.mjs";
import { root } from "./run-tool.mjs";

if (!isCurrent()) {
  console.log("The inbox is not built from these sources yet; building it first.");
  if (!buildInbox()) process.exit(1);
}

const { main } = await import("@holdpoint/server/command-line");
await main([
  "start",
  "--config",
  join(root, "examples/quickstart/holdpoint.config.ts"),
  "--data",
  process.env["HOLDPOINT_DATA"] ?? join(root, ".holdpoint"),
  "--port",
  process.env["PORT"] ?? "2024",
  ...process.argv.slice(2),
]);
