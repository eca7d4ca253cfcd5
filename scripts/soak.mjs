// `npm run soak`: the crash loop and the conflicts of `npm test` and the power cuts of `npm run proof` at
// full size, and what their seeded mistakes lead to; the figures go into docs/reliability.md.
// `npm run soak -- --cycles 500 --reviews 100 --cuts 200 --seed 7` runs another size or seed, and with
// `--dry` the page stays as it is. Ends with 1 where something was lost. Needs strace.
import "./node-version.mjs";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { startServer } from "../test/harness/postgres.ts";
import { conflicts } from "../test/reliability/conflicts.ts";
import { freshSqlite } from "../test/reliability/ground.ts";
import { killCycles } from "../test/reliability/kill-cycles.ts";
import { negativeControls, postgresControl } from "../test/reliability/negative-controls.ts";
import { postgresGrounds } from "../test/reliability/postgres-ground.ts";
import { makeTrouble } from "../test/reliability/postgres-trouble.ts";
import { powerCuts } from "../test/power-loss/power-cuts.ts";
import { powerFaults, record, roundsRecorded } from "../test/power-loss/record.ts";
import { root, runTool, toolPath } from "./run-tool.mjs";

/** @typedef {import("../test/reliability/figures.ts").Figures} Figures */
/** @typedef {import("../test/reliability/conflicts.ts").Conflicts} Conflicts */
/** @typedef {import("../test/reliability/ground.ts").Ground} Ground */
/** @typedef {import("../test/reliability/negative-controls.ts").NegativeControl} NegativeControl */

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

const server = await startServer();
const freshPostgres = await postgresGrounds(server.url);
/** On Postgres a cycle takes three times as long. */
const shares = { SQLite: cycles - Math.floor(cycles / 3), Postgres: Math.floor(cycles / 3) };
const kills = {
  SQLite: await killAll(freshSqlite, shares.SQLite, negativeControls),
  Postgres: await killAll(freshPostgres, shares.Postgres, [postgresControl]),
};
const rivals = { seed, processes: 4, clients: 64 };
const contests = {
  SQLite: await contend({ ...rivals, freshGround: freshSqlite }, reviews, [
    "second-decision-wins",
    "stale-reads",
  ]),
  Postgres: await contend(
    {
      ...rivals,
      freshGround: freshPostgres,
      trouble: (database) => makeTrouble(server, database, seed),
    },
    Math.ceil(reviews / 10),
    ["unknown-commit-acknowledged"],
  ),
};
await server.stop();
const power = await powerCuts(await record(seed, roundsRecorded), cuts, seed);
console.log(`${cuts} power cuts, ${power.violations.length} violations`);
const powerControls = await controlsOf(powerFaults, async (fault) =>
  powerCuts(await record(seed, roundsRecorded, fault), 100, seed),
);

const parts = [...Object.values(kills), ...Object.values(contests)];
const violations = [...parts.flatMap(({ found }) => found.violations), ...power.violations];
for (const violation of violations) console.log(violation);
const isSound =
  violations.length === 0 &&
  [...parts.flatMap(({ controls }) => controls), ...powerControls].every(
    ({ isCaught }) => isCaught,
  );
const command = `npm run soak -- --cycles ${cycles} --reviews ${reviews} --cuts ${cuts} --seed ${seed}`;
if (!isSound) console.log(`Replay it with: ${command}`);
process.exitCode = isSound ? 0 : 1;
if (!values.dry) {
  for (const [database, part] of Object.entries(kills))
    replaceBlock(`kill -9 on ${database}`, killBlock(part));
  for (const [database, part] of Object.entries(contests))
    replaceBlock(`conflicts on ${database}`, conflictBlock(part));
  replaceBlock("power loss on SQLite", powerBlock());
}

/**
 * @param {() => Promise<Ground>} freshGround
 * @param {number} count
 * @param {readonly NegativeControl[]} mistakes
 */
async function killAll(freshGround, count, mistakes) {
  const controls = [];
  for (const { what, fault, violation } of mistakes) {
    const found = await killCycles({ seed, cycles: 60, freshGround, fault });
    const isCaught = found.violations.some((text) => violation.test(text));
    console.log(
      `${isCaught ? "caught" : "MISSED"}  an engine that ${what} (${found.cycles} kills)`,
    );
    controls.push({ what, fault, isCaught, cycles: found.cycles });
  }
  const found = await killCycles({ seed, cycles: count, freshGround, onProgress: report });
  return { found, controls };
}

/**
 * @param {Omit<Conflicts, "reviews">} options
 * @param {number} count
 * @param {readonly string[]} faults
 */
async function contend(options, count, faults) {
  const found = await conflicts({ ...options, reviews: count });
  console.log(`${found.decided} of ${count} reviews decided by 64 clients at once`);
  const controls = await controlsOf(faults, (fault) =>
    conflicts({ ...options, reviews: 15, fault }),
  );
  return { found, controls };
}

/**
 * @param {readonly string[]} faults
 * @param {(fault: string) => Promise<{ readonly violations: readonly string[] }>} run
 */
async function controlsOf(faults, run) {
  const controls = [];
  for (const fault of faults) {
    const isCaught = (await run(fault)).violations.length > 0;
    console.log(`${isCaught ? "caught" : "MISSED"}  ${fault}`);
    controls.push({ fault, isCaught });
  }
  return controls;
}

/** @param {Figures} figures */
function report({ cycles: done, promises, effects, violations: wrong }) {
  console.log(
    `${done} kills, ${promises} promises, ${effects} tool runs, ${wrong.length} violations`,
  );
}

/** @param {Awaited<ReturnType<typeof killAll>>} part */
function killBlock({ found, controls }) {
  const rows = [
    ["kills", found.cycles],
    ["acknowledgements of every kind", found.promises],
    ["of these, decisions", found.decisions],
    ["tool runs", found.effects],
    ["receipts that ended `unknown`", found.unknown],
    ["**violations**", `**${found.violations.length}**`],
  ];
  const points = [...found.killsAt].toSorted(([left], [right]) => left.localeCompare(right));
  return [
    `Seed ${seed}; \`${command}\` repeats it.`,
    "",
    ...table(["", "count"], rows),
    "",
    ...table(["killed at", "times"], points),
    "",
    ...table(
      ["an engine that …", "seeded fault", "found"],
      controls.map(({ what, fault, isCaught, cycles: needed }) => [
        what,
        `\`${fault}\``,
        isCaught ? `after ${needed} kill${needed === 1 ? "" : "s"}` : "**no**",
      ]),
    ),
  ].join("\n");
}

/** @param {Awaited<ReturnType<typeof contend>>} part */
function conflictBlock({ found, controls }) {
  const { trouble } = found;
  const troubles =
    trouble === undefined
      ? []
      : [
          ["COMMITs that did not arrive", trouble.cutBefore],
          ["COMMITs that were not answered", trouble.cutAfter],
          ["crashes of the server", trouble.crashes],
        ];
  return [
    `Seed ${seed}; \`${command}\` repeats it.`,
    "",
    ...table(
      ["", "count"],
      [
        ["reviews", found.decided],
        ["clients, in 4 processes", rivals.clients],
        ...troubles,
        ["winners", found.winners],
        ["answers that somebody else was first, and who", found.losers],
        ["looks at a review before or after", found.looks],
        ["reviews that clients of several processes lost", found.contested],
        ["**violations**", `**${found.violations.length}**`],
      ],
    ),
    "",
    ...faultTable(controls),
  ].join("\n");
}

/** @param {ReadonlyArray<{ readonly fault: string, readonly isCaught: boolean }>} controls */
function faultTable(controls) {
  return table(
    ["seeded fault", "found"],
    controls.map(({ fault, isCaught }) => [`\`${fault}\``, isCaught ? "yes" : "**no**"]),
  );
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
    ...faultTable(powerControls),
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
