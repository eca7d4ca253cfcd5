import { access, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { tool } from "langchain";
import { z } from "zod";
import type { StartEffect } from "./effect-start.ts";
import { throwFileFailure } from "./file-failure.ts";
import { workspacePath } from "./workspace-path.ts";

const schema = z.object({
  path: z
    .string()
    .min(1)
    .describe("Path of the file inside the workspace. / 文件在工作区内的路径。"),
  content: z.string().describe("The whole new text of the file. / 文件的全部新内容。"),
});

/** The `write_file` tool: creates or replaces one file of the workspace. */
export function writeFileTool(workspace: string, startEffect: StartEffect) {
  return tool(
    async ({ path, content }) => {
      await startEffect("write_file", { path, content });
      const place = await workspacePath(workspace, path);
      if (place.type === "refused") throw new Error(place.why);
      try {
        const existed = await access(place.absolute).then(
          () => true,
          () => false,
        );
        await mkdir(dirname(place.absolute), { recursive: true });
        await writeFile(place.absolute, content);
        const characters = [...content].length;
        return `${existed ? "Replaced" : "Created"} \`${place.path}\` (${characters} characters).`;
      } catch (cause) {
        return throwFileFailure(place.path, cause);
      }
    },
    {
      name: "write_file",
      description: "Creates a text file in the workspace, or replaces the file that is there.",
      schema,
    },
  );
}
