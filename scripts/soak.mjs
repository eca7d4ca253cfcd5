// `npm run soak`: the crash loop and the conflicts of `npm test` and the power cuts of `npm run proof` at
// full size, and what their seeded mistakes lead to; the figures go into docs/reliability.md.
// `npm run soak -- --cycles 500 --reviews 100 --cuts 200 --seed 7` runs another size or seed, `--part kills`
// one part of it, and with `--dry` the page stays as it is. Ends with 1 where something was lost. Needs strace.
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
/** @typedef {import("../test/power-loss/power-cuts.ts").PowerCutFigures} PowerCutFigures */
/** @typedef {{ found: { readonly violations: readonly string[] }, controls: readonly { fault: string, isCaught: boolean }[] }} Part */
/** @typedef {import("../test/reliability/negative-controls.ts").NegativeControl} NegativeControl */

const { values } = parseArgs({
  options: {
    part: { type: "string", multiple: true, default: ["kills", "conflicts", "power"] },
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
const rivals = { seed, processes: 4, clients: 64 };
let isSound = true;

const server = await startServer();
const freshPostgres = postgresGrounds(server.url);
if (values.part.includes("kills")) {
  const command = `npm run soak -- --part kills --cycles ${cycles} --seed ${seed}`;
  const onPostgres = Math.floor(cycles / 3); // where a cycle takes three times as long
  const sqlite = await killAll(freshSqlite, cycles - onPostgres, negativeControls);
  conclude("kill -9 on SQLite", command, sqlite, killLines(sqlite));
  const postgres = await killAll(freshPostgres, onPostgres, [postgresControl]);
  conclude("kill -9 on Postgres", command, postgres, killLines(postgres));
}
if (values.part.includes("conflicts")) {
  const command = `npm run soak -- --part conflicts --reviews ${reviews} --seed ${seed}`;
  const faults = ["second-decision-wins", "stale-reads"];
  const sqlite = await contend({ ...rivals, freshGround: freshSqlite }, reviews, faults);
  conclude("conflicts on SQLite", command, sqlite, conflictLines(sqlite));
  /** @type {Conflicts["trouble"]} */
  const trouble = (database) => makeTrouble(server, database, seed);
  const troubled = { ...rivals, freshGround: freshPostgres, trouble };
  const few = Math.ceil(reviews / 10); // a crash takes longer than a hundred decisions
  const postgres = await contend(troubled, few, ["unknown-commit-acknowledged"]);
  conclude("conflicts on Postgres", command, postgres, conflictLines(postgres));
}
await server.stop();
if (values.part.includes("power")) {
  const command = `npm run soak -- --part power --cuts ${cuts} --seed ${seed}`;
  const found = await powerCuts(await record(seed, roundsRecorded), cuts, seed);
  console.log(`${cuts} power cuts, ${found.violations.length} violations`);
  const controls = await controlsOf(powerFaults, async (fault) =>
    powerCuts(await record(seed, roundsRecorded, fault), 100, seed),
  );
  conclude("power loss on SQLite", command, { found, controls }, powerLines({ found, controls }));
}
process.exitCode = isSound ? 0 : 1;

/**
 * Says what was wrong, and puts the figures of a part into the page.
 * @param {string} name of the place in the page
 * @param {string} command
 * @param {Part} part
 * @param {readonly string[]} lines
 */
function conclude(name, command, { found, controls }, lines) {
  for (const violation of found.violations) console.log(violation);
  if (found.violations.length > 0 || controls.some(({ isCaught }) => !isCaught)) {
    isSound = false;
    console.log(`Replay it with: ${command}`);
  }
  const text = [`Seed ${seed}; \`${command}\` repeats it.`, "", ...lines].join("\n");
  if (!values.dry) replaceBlock(name, text);
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
function killLines({ found, controls }) {
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
  ];
}

/** @param {Awaited<ReturnType<typeof contend>>} part */
function conflictLines({ found, controls }) {
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
  ];
}

/** @param {ReadonlyArray<{ readonly fault: string, readonly isCaught: boolean }>} controls */
function faultTable(controls) {
  return table(
    ["seeded fault", "found"],
    controls.map(({ fault, isCaught }) => [`\`${fault}\``, isCaught ? "yes" : "**no**"]),
  );
}

/** @param {{ found: PowerCutFigures, controls: Part["controls"] }} part */
function powerLines({ found: power, controls }) {
  return [
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
    ...faultTable(controls),
  ];
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
