import { join } from "node:path";
import { defineConfig } from "@holdpoint/server";
import { modelChoice } from "./src/model/model-choice.ts";
import { suggestions } from "./src/suggestions.ts";

const choice = modelChoice(process.env);

export default defineConfig({
  agents: {
    assistant: {
      title: { en: "Quickstart assistant", "zh-CN": "快速上手助手" },
      notice: choice.type === "built-in" ? choice.notice : undefined,
      suggestions,
      create: async ({ holdpoint, dataFolder }) => {
        const { createQuickstart } = await import("./src/agent.ts");
        return createQuickstart({
          holdpoint,
          workspace: join(dataFolder, "workspace"),
          dataFolder,
          env: process.env,
        });
      },
    },
  },
});
