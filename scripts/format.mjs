// `npm run format`: writes every file the way Prettier wants it.
import "./node-version.mjs";
import process from "node:process";
import { runTool, toolPath } from "./run-tool.mjs";

process.exit(runTool(toolPath("prettier"), ["--write", "--log-level", "warn", "."]));
