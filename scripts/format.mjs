// `npm run format`: writes every file the way Prettier wants it, and the pages that are made from data.
import "./node-version.mjs";
import process from "node:process";
import { writePages } from "./behaviour-page.mjs";
import { runTool, toolPath } from "./run-tool.mjs";
import { writeSnippets } from "./snippets.mjs";

await writePages();
await writeSnippets();
process.exit(runTool(toolPath("prettier"), ["--write", "--log-level", "warn", "."]));
