// `npm run proof`: what is proven with strace and PgBouncer, which come with the system and not with npm: power
// cuts, a disk whose calls fail, and a pooler between us and Postgres. `npm run proof -- --cuts 2000 --seed 7` runs another size or seed. The last
// line printed is always `N passed, N failed`.
import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { root } from "./run-tool.mjs";

const { values } = parseArgs({
  options: { cuts: { type: "string" }, seed: { type: "string" } },
});
const missing = ["strace", "pgbouncer"].filter((tool) => spawnSync(tool, ["-V"]).status !== 0);
if (missing.length > 0) {
  console.log(
    `Not installed: ${missing.join(", ")}; each is a package of every Linux distribution.`,
  );
  console.log("0 passed, 1 failed");
  process.exitCode = 1;
} else {
  const sizes = Object.entries({ HOLDPOINT_CUTS: values.cuts, HOLDPOINT_SEED: values.seed });
  const given = Object.fromEntries(sizes.filter(([, value]) => value !== undefined));
  const { status } = spawnSync(
    process.execPath,
    [join(root, "scripts/test.mjs"), "--project=proof"],
    { cwd: root, stdio: "inherit", env: { ...process.env, ...given } },
  );
  process.exitCode = status ?? 1;
}
