import { callsOnce, ScriptedModel } from "@holdpoint/langchain/testing";
import { agentWith, approve, ask } from "./agents.ts";
import { type Ground, oursOnSqlite, stockSqlite } from "./savers.ts";

/** One thread with 50 approved calls of 100 KB each that no other call repeats: what is stored, as a multiple of it. */
const calls = Number(process.argv[2] ?? 50);
const size = 100_000;

/** Text that does not compress, another one each time. */
function textOf(number: number): string {
  let state = number + 1;
  let text = "";
  while (text.length < size) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += state.toString(36);
  }
  return text.slice(0, size);
}

async function measure({ name, saver, middleware, host, bytes, close }: Ground): Promise<void> {
  for (let call = 0; call < calls; call += 1) {
    const args = { path: `${call}`, text: textOf(call) };
    const model = new ScriptedModel(callsOnce({ name: "write", args }));
    const agent = agentWith([middleware], model, saver as never); // every agent takes any checkpointer
    await host("thread", () => ask(agent, "thread"));
    await host("thread", () => approve(agent, "thread"));
  }
  const { checkpoints, all } = await bytes();
  const times = (part: number): string => (part / (calls * size)).toFixed(2);
  console.log(
    `  ${name.padEnd(34)} checkpoints ${times(checkpoints)} times the arguments, ${times(all)} with reviews and audit`,
  );
  await close();
}

await measure(await oursOnSqlite());
await measure(stockSqlite("FULL"));
