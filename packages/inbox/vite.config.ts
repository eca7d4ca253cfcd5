import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  plugins: [react()],
  resolve: { conditions: ["@holdpoint/source", "module", "browser", "production"] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // The page's content security policy allows files of its own origin only, no data: addresses.
    assetsInlineLimit: 0,
    target: "es2023",
    rolldownOptions: {
      treeshake: {
        // These do nothing on import but declare no such thing. Without it, what only the card needs
        // loads with the first page, and the chat carries LangSmith's tracing client, unused.
        moduleSideEffects: [
          { test: /packages\/(core|client)\/src\/|@langchain\/core|langsmith/, sideEffects: false },
        ],
      },
    },
  },
});
