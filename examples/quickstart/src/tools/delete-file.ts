import { unlink } from "node:fs/promises";
import { tool } from "langchain";
import { z } from "zod";
import type { StartEffect } from "./effect-start.ts";
import { throwFileFailure } from "./file-failure.ts";
import { workspacePath } from "./workspace-path.ts";

const schema = z.object({
  path: z.string().min(1).describe("Path of the file to delete. / 要删除的文件的路径。"),
});

/** The `delete_file` tool: removes one file of the workspace for good. */
export function deleteFileTool(workspace: string, startEffect: StartEffect) {
  return tool(
    async ({ path }) => {
      await startEffect("delete_file", { path });
      const place = await workspacePath(workspace, path);
      if (place.type === "refused") throw new Error(place.why);
      try {
        await unlink(place.absolute);
        return `Deleted \`${place.path}\`.`;
      } catch (cause) {
        return throwFileFailure(place.path, cause);
      }
    },
    {
      name: "delete_file",
      description: "Deletes a file of the workspace. This cannot be undone.",
      schema,
    },
  );
}
