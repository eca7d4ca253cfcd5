// Loaded with --import: puts the fault that HOLDPOINT_FAULT names into the sources of this process.
import { registerHooks } from "node:module";
import process from "node:process";
import { faults } from "./faults.mjs";

const name = process.env["HOLDPOINT_FAULT"] ?? "";
const changes = faults[name];
if (changes === undefined) throw new Error(`There is no fault "${name}".`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const mine = changes.filter((change) => url.endsWith(`/${change.file}`));
    if (mine.length === 0) return loaded;
    let source = Buffer.from(/** @type {Uint8Array} */ (loaded.source)).toString("utf8");
    for (const { file, find, replace } of mine) {
      if (!source.includes(find))
        throw new Error(`The fault "${name}" does not fit ${file} any more.`);
      source = source.replace(find, replace);
    }
    console.log(`fault ${name} is in ${url.split("/").at(-1)}`);
    return { ...loaded, source };
  },
});
