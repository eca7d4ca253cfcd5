// Run by `npm install` and `npm ci` (`prepare`): the inbox is ready before the first `npm start`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { root } from "./run-tool.mjs";

if (!existsSync(join(root, "node_modules/vite"))) {
  // `npm ci --omit=dev` leaves out Vite and the project's Node, so nothing can be built.
  console.log("The inbox is not built: the dev dependencies are not installed.");
  process.exit(0);
}

await import("./node-version.mjs");
const { buildInbox, isCurrent } = await import("./inbox-build.mjs");
if (isCurrent()) {
  console.log("The inbox is already built.");
} else {
  console.log("Building the inbox.");
  process.exitCode = buildInbox() ? 0 : 1;
}
