import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";
import { faultySource } from "../faults/faulty-source.mjs";
import { makeFolder } from "../harness/temporary-folder.ts";

/** One JavaScript file that holds a script and everything it imports. */
export type Bundle = { readonly file: string; readonly remove: () => Promise<void> };

/** A crash loop starts hundreds of processes: as one file a script is there in half of the time. */
export async function bundle(script: URL, fault?: string): Promise<Bundle> {
  const { path: folder, remove } = await makeFolder("bundle");
  await build({
    configFile: false,
    logLevel: "error",
    root: fileURLToPath(new URL("../../", import.meta.url)),
    plugins: [inPlace(fault)],
    ssr: { noExternal: true, resolve: { conditions: ["@holdpoint/source", "node"] } },
    build: {
      ssr: fileURLToPath(script),
      outDir: folder,
      emptyOutDir: false,
      target: "node22",
      minify: false,
      rolldownOptions: { external: ["pg-native"], output: { entryFileNames: "script.mjs" } },
    },
  });
  return { file: join(folder, "script.mjs"), remove };
}

/** Files beside a source are still found from there; a fault goes in before anything else. */
function inPlace(fault: string | undefined): Plugin {
  let isFaulty = false;
  return {
    name: "in-place",
    enforce: "pre",
    transform(code, id) {
      const faulty = fault === undefined ? undefined : faultySource(fault, id, () => code);
      isFaulty ||= faulty !== undefined;
      const source = faulty ?? code;
      const address = JSON.stringify(pathToFileURL(id).href);
      return { code: source.replaceAll("import.meta.url", address), map: null };
    },
    buildEnd() {
      if (fault !== undefined && !isFaulty) throw new Error(`The fault "${fault}" went nowhere.`);
    },
  };
}
