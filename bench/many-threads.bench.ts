import { startPostgres } from "../test/harness/postgres.ts";
import { agentWith, approve, ask, modelThatCalls } from "./agents.ts";
import {
  floor,
  type Ground,
  oursOnPostgres,
  oursOnSqlite,
  stockPostgres,
  stockSqlite,
} from "./savers.ts";

/** 1,000 paused threads that are resumed 50 at a time, in one process: how many a second. */
const threads = Number(process.argv[2] ?? 1000);
const atOnce = 50;

async function measure(ground: Ground, earlier: number): Promise<void> {
  const { name, saver, middleware, close, host } = ground;
  const agent = agentWith([middleware], modelThatCalls("write"), saver as never); // any checkpointer
  const count = earlier === 0 ? threads : Math.ceil(threads / 5);
  const each = (work: (thread: string) => Promise<unknown>): Promise<unknown> => {
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < count) await work(`thread ${(next += 1)}`);
    };
    return Promise.all(Array.from({ length: atOnce }, lane));
  };
  for (let turn = 0; turn < earlier; turn += 1)
    await each(async (thread) => {
      await host(thread, () => ask(agent, thread));
      await host(thread, () => approve(agent, thread));
    });
  await each((thread) => host(thread, () => ask(agent, thread)));
  const cpu = process.cpuUsage();
  const start = performance.now();
  await each((thread) => host(thread, () => approve(agent, thread)));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `  ${name.padEnd(34)} ${earlier} earlier turns: ${(count / seconds).toFixed(0)} resumes a second, ${((user + system) / 1000 / count).toFixed(2)} ms CPU each`,
  );
  await close();
}

for (const earlier of [0, 20]) {
  await measure(floor(), earlier);
  await measure(await oursOnSqlite(), earlier);
  await measure(stockSqlite("FULL"), earlier);
  for (const open of [oursOnPostgres, stockPostgres]) {
    const postgres = await startPostgres();
    await measure(await open(postgres.url), earlier);
    await postgres.stop();
  }
}
