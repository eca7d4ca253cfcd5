// Loaded with --import: puts the fault that HOLDPOINT_FAULT names into the sources of this process.
import { registerHooks } from "node:module";
import process from "node:process";
import { faultySource } from "./faulty-source.mjs";

const name = process.env["HOLDPOINT_FAULT"] ?? "";

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const source = faultySource(name, url, () =>
      Buffer.from(/** @type {Uint8Array} */ (loaded.source)).toString("utf8"),
    );
    if (source === undefined) return loaded;
    console.log(`fault ${name} is in ${url.split("/").at(-1)}`);
    return { ...loaded, source };
  },
});
