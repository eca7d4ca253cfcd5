import { readFile, stat } from "node:fs/promises";
import { tool } from "langchain";
import { z } from "zod";
import { throwFileFailure } from "./file-failure.ts";
import { workspacePath } from "./workspace-path.ts";

const LARGEST_FILE = 256 * 1024;

const schema = z.object({
  path: z
    .string()
    .min(1)
    .describe("Path of the file inside the workspace. / 文件在工作区内的路径。"),
});

/** The `read_file` tool: returns the text of one file of the workspace, up to 256 KiB. */
export function readFileTool(workspace: string) {
  return tool(
    async ({ path }) => {
      const place = await workspacePath(workspace, path);
      if (place.type === "refused") throw new Error(place.why);
      try {
        const { size } = await stat(place.absolute);
        if (size > LARGEST_FILE) throw new Error(`\`${place.path}\` is larger than 256 KiB.`);
        return await readFile(place.absolute, "utf8");
      } catch (cause) {
        return throwFileFailure(place.path, cause);
      }
    },
    {
      name: "read_file",
      description: "Reads a text file of the workspace. Changes nothing.",
      schema,
    },
  );
}
