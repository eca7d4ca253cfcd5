import { archiveFileTool } from "./archive-file.ts";
import { askUserTool } from "./ask-user.ts";
import { deleteFileTool } from "./delete-file.ts";
import { effectStart } from "./effect-start.ts";
import { issueRefundTool } from "./issue-refund.ts";
import { readFileTool } from "./read-file.ts";
import { sendEmailTool } from "./send-email.ts";
import { writeFileTool } from "./write-file.ts";

/** All tools of the quickstart, working on the given folders and files. */
export function allTools(options: {
  readonly workspace: string;
  readonly dataFolder: string;
  readonly outbox: string;
  readonly ledger: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}) {
  const { workspace, dataFolder, outbox, ledger, env } = options;
  const startEffect = effectStart({ dataFolder, env });
  return [
    readFileTool(workspace),
    writeFileTool(workspace, startEffect),
    deleteFileTool(workspace, startEffect),
    archiveFileTool(workspace, startEffect),
    sendEmailTool({ outbox, env, startEffect }),
    issueRefundTool(ledger, startEffect),
    askUserTool(),
  ];
}
