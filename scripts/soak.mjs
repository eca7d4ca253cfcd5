// `npm run soak`: the crash loop and the conflicts of `npm test` and the power cuts of `npm run proof` at
// full size, and what their seeded mistakes lead to; the figures go into docs/reliability.md.
// `npm run soak -- --cycles 500 --reviews 100 --cuts 200 --seed 7` runs another size or seed, and with
// `--dry` the page stays as it is. Ends with 1 where something was lost. Needs strace.
import "./node-version.mjs";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { conflicts } from "../test/reliability/conflicts.ts";
import { freshSqlite } from "../test/reliability/ground.ts";
import { killCycles } from "../test/reliability/kill-cycles.ts";
import { negativeControls } from "../test/reliability/negative-controls.ts";
import { powerCuts } from "../test/power-loss/power-cuts.ts";
import { powerFaults, record, roundsRecorded } from "../test/power-loss/record.ts";
import { root, runTool, toolPath } from "./run-tool.mjs";

/** @typedef {import("../test/reliability/figures.ts").Figures} Figures */

const { values } = parseArgs({
  options: {
    cycles: { type: "string", default: "10000" },
    reviews: { type: "string", default: "1000" },
    cuts: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    dry: { type: "boolean", default: false },
  },
});
const [cycles, reviews, cuts, seed] = [
  Number(values.cycles),
  Number(values.reviews),
  Number(values.cuts),
  Number(values.seed),
];

/** @type {{ what: string, fault: string, isCaught: boolean, cycles: number }[]} */
const controls = [];
for (const { what, fault, violation } of negativeControls) {
  const found = await killCycles({ seed, cycles: 60, freshGround: freshSqlite, fault });
  const isCaught = found.violations.some((text) => violation.test(text));
  console.log(`${isCaught ? "caught" : "MISSED"}  an engine that ${what} (${found.cycles} kills)`);
  controls.push({ what, fault, isCaught, cycles: found.cycles });
}
const found = await killCycles({ seed, cycles, freshGround: freshSqlite, onProgress: report });
const rivals = { seed, processes: 4, clients: 64, freshGround: freshSqlite };
const contest = await conflicts({ ...rivals, reviews });
console.log(`${contest.decided} of ${reviews} reviews decided by 64 clients at once`);
/** @type {{ fault: string, isCaught: boolean }[]} */
const rivalControls = [];
for (const fault of ["second-decision-wins", "stale-reads"]) {
  const { violations } = await conflicts({ ...rivals, reviews: 15, fault });
  console.log(`${violations.length > 0 ? "caught" : "MISSED"}  ${fault}`);
  rivalControls.push({ fault, isCaught: violations.length > 0 });
}

const power = await powerCuts(await record(seed, roundsRecorded), cuts, seed);
console.log(`${cuts} power cuts, ${power.violations.length} violations`);
/** @type {{ fault: string, isCaught: boolean }[]} */
const powerControls = [];
for (const fault of powerFaults) {
  const { violations } = await powerCuts(await record(seed, roundsRecorded, fault), 100, seed);
  console.log(`${violations.length > 0 ? "caught" : "MISSED"}  ${fault}`);
  powerControls.push({ fault, isCaught: violations.length > 0 });
}

const violations = [...found.violations, ...contest.violations, ...power.violations];
for (const violation of violations) console.log(violation);
const isSound =
  violations.length === 0 &&
  [...controls, ...rivalControls, ...powerControls].every(({ isCaught }) => isCaught);
const command = `npm run soak -- --cycles ${cycles} --reviews ${reviews} --cuts ${cuts} --seed ${seed}`;
if (!isSound) console.log(`Replay it with: ${command}`);
process.exitCode = isSound ? 0 : 1;
if (!values.dry) {
  replaceBlock("kill -9 on SQLite", blockOf(found));
  replaceBlock("conflicts on SQLite", conflictBlock());
  replaceBlock("power loss on SQLite", powerBlock());
}

/** @param {Figures} figures */
function report({ cycles: done, promises, effects, violations }) {
  console.log(
    `${done} of ${cycles} kills, ${promises} promises, ${effects} tool runs, ${violations.length} violations`,
  );
}

/** @param {Figures} figures */
function blockOf(figures) {
  const rows = [
    ["kills", figures.cycles],
    ["acknowledgements of every kind", figures.promises],
    ["of these, decisions", figures.decisions],
    ["tool runs", figures.effects],
    ["receipts that ended `unknown`", figures.unknown],
    ["**violations**", `**${figures.violations.length}**`],
  ];
  const points = [...figures.killsAt].toSorted(([left], [right]) => left.localeCompare(right));
  return [
    `Seed ${seed}; \`${command}\` repeats it.`,
    "",
    ...table(["", "count"], rows),
    "",
    ...table(["killed at", "times"], points),
    "",
    ...table(
      ["an engine that …", "seeded fault", "found"],
      controls.map(({ what, fault, isCaught, cycles: kills }) => [
        what,
        `\`${fault}\``,
        isCaught ? `after ${kills} kill${kills === 1 ? "" : "s"}` : "**no**",
      ]),
    ),
  ].join("\n");
}

function conflictBlock() {
  return [
    `Seed ${seed}; \`${command}\` repeats it.`,
    "",
    ...table(
      ["", "count"],
      [
        ["reviews", contest.decided],
        ["clients, in 4 processes", rivals.clients],
        ["winners", contest.winners],
        ["answers that somebody else was first, and who", contest.losers],
        ["looks at a review before or after", contest.looks],
        ["reviews that clients of several processes lost", contest.contested],
        ["**violations**", `**${contest.violations.length}**`],
      ],
    ),
    "",
    ...table(
      ["seeded fault", "found"],
      rivalControls.map(({ fault, isCaught }) => [`\`${fault}\``, isCaught ? "yes" : "**no**"]),
    ),
  ].join("\n");
}

function powerBlock() {
  return [
    `Seed ${seed}; \`${command}\` repeats it.`,
    "",
    ...table(
      ["", "count"],
      [
        ["writes recorded", power.writes],
        ["syncs recorded", power.syncs],
        ["acknowledgements of every kind in the recording", power.acknowledged],
        ["of these, decisions", power.decisions],
        ["power cuts", power.cuts],
        ["of these, with something lost or torn", power.lossy],
        ["acknowledgements looked up after the cuts", power.lookedUp],
        ["**violations**", `**${power.violations.length}**`],
      ],
    ),
    "",
    ...table(
      ["seeded fault", "found"],
      powerControls.map(({ fault, isCaught }) => [`\`${fault}\``, isCaught ? "yes" : "**no**"]),
    ),
  ].join("\n");
}

/**
 * @param {readonly string[]} head
 * @param {ReadonlyArray<ReadonlyArray<string | number>>} rows
 */
function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

/**
 * @param {string} name
 * @param {string} text
 */
function replaceBlock(name, text) {
  const page = join(root, "docs/reliability.md");
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const before = readFileSync(page, "utf8");
  const [from, to] = [before.indexOf(start), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for "${name}".`);
  writeFileSync(page, `${before.slice(0, from)}${start}\n\n${text}\n\n${before.slice(to)}`);
  runTool(toolPath("prettier"), ["--write", "--log-level", "warn", page]);
}
