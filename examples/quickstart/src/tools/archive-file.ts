import { access, mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { tool } from "langchain";
import { z } from "zod";
import type { StartEffect } from "./effect-start.ts";
import { throwFileFailure } from "./file-failure.ts";
import { workspacePath } from "./workspace-path.ts";

const schema = z.object({
  path: z.string().min(1).describe("Path of the file to archive. / 要归档的文件的路径。"),
});

/**
 * The `archive_file` tool: moves one file of the workspace to the same path below `archive/`.
 * It never replaces a file that is already archived there.
 */
export function archiveFileTool(workspace: string, startEffect: StartEffect) {
  return tool(
    async ({ path }) => {
      await startEffect("archive_file", { path });
      const from = await workspacePath(workspace, path);
      if (from.type === "refused") throw new Error(from.why);
      if (from.path.startsWith("archive/"))
        throw new Error(`\`${from.path}\` is already archived.`);
      const to = await workspacePath(workspace, `archive/${from.path}`);
      if (to.type === "refused") throw new Error(to.why);
      try {
        await access(from.absolute);
        const taken = await access(to.absolute).then(
          () => true,
          () => false,
        );
        if (taken) throw new Error(`there already is a file \`${to.path}\`.`);
        await mkdir(dirname(to.absolute), { recursive: true });
        await rename(from.absolute, to.absolute);
        return `Moved \`${from.path}\` to \`${to.path}\`.`;
      } catch (cause) {
        return throwFileFailure(from.path, cause);
      }
    },
    {
      name: "archive_file",
      description: "Moves a file of the workspace into the folder archive/, where it is kept.",
      schema,
    },
  );
}
