import { HoldpointError, refusalOf } from "@holdpoint/core";
import { helpText } from "./command-line/help-text.ts";
import { languageOf } from "./command-line/language.ts";

/** The `holdpoint` command. Prints one sentence and sets the exit code when something is wrong. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await run(args);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    console.error(refusal.message);
    process.exitCode = 1;
  }
}

/** Each command loads what it needs: an auditor's machine has no agents, and starts none. */
async function run(args: readonly string[]): Promise<void> {
  const language = languageOf(process.env);
  const help = helpText(language);
  const [command, ...rest] = args;
  if (command === "--help" || command === "help") return console.log(help.all);
  if (command === "start") {
    if (rest.includes("--help")) return console.log(help.start);
    const { startCommand } = await import("./start-command.ts");
    return startCommand(rest, help.start);
  }
  if (command === "audit") {
    if (rest.length === 0 || rest.includes("--help")) return console.log(help.audit);
    const { auditCommand } = await import("./command-line/audit-command.ts");
    return auditCommand(rest, help.audit);
  }
  if (command === "backup" || command === "restore") {
    if (rest.length === 0 || rest.includes("--help")) return console.log(help.backup);
    const commands = await import("./command-line/backup-command.ts");
    return command === "backup"
      ? commands.backupCommand(rest, help.backup)
      : commands.restoreCommand(rest, help.backup);
  }
  if (command === "retain" || command === "prune" || command === "erase") {
    if (rest.length === 0 || rest.includes("--help")) return console.log(help.retention);
    const commands = await import("./command-line/retention-command.ts");
    if (command === "retain") return commands.retainCommand(rest, help.retention);
    return command === "prune"
      ? commands.pruneCommand(rest, help.retention)
      : commands.eraseCommand(rest, help.retention);
  }
  if (command === "import") {
    if (rest.length === 0 || rest.includes("--help")) return console.log(help.import);
    const { importCommand } = await import("./command-line/import-command.ts");
    return importCommand(rest, help.import, language);
  }
  throw new HoldpointError("config_invalid", help.all);
}
