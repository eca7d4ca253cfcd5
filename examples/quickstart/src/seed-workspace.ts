import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const FILES = {
  "notes/today.md": `# Today

- 10:00 call with the printer about the invoices
- Send the Q3 figures to finance
- Order A-1002: the screen arrived broken, 1500 EUR
`,
  "reports/q3.md": `# Third quarter

Revenue grew by 12 % to 1.84 million EUR. Returns fell from 4.1 % to 3.6 %.
The new warehouse opens on 1 November.
`,
  "报告/周报.md": `# 本周周报

- 完成第三季度报表初稿
- 处理退款 14 笔，其中 2 笔超过 1000 元
- 下周一与仓库对接入库流程
`,
};

/**
 * Makes the workspace folder and, when it is new or empty, puts a few files into it to work with.
 * A file that is there is never overwritten, a file that was deleted does not come back. Servers that start
 * at the same moment may seed it together.
 */
export async function seedWorkspace(workspace: string): Promise<void> {
  await mkdir(workspace, { recursive: true });
  const found = await readdir(workspace);
  if (found.length > 0) return;
  for (const [path, content] of Object.entries(FILES)) {
    const file = join(workspace, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}
