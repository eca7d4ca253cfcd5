// #region repair
import { repairThread } from "@holdpoint/langchain";
// #endregion
import { humanInTheLoopMiddleware } from "@holdpoint/langchain";
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createAgent,
  humanInTheLoopMiddleware as stockMiddleware,
} from "langchain";
import { expect, test } from "vitest";
import { modelThatCalls, newThread, question, sendEmail, sent } from "./mail-agent.ts";

const checkpointer = new MemorySaver();
const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });

function agentWith(middleware: AgentMiddleware) {
  return createAgent({
    model: modelThatCalls(),
    tools: [sendEmail],
    checkpointer,
    middleware: [middleware],
  });
}

test("a thread that LangChain's middleware has lost goes on", async () => {
  const options = { interruptOn: { send_email: true } };
  // Under exactOptionalPropertyTypes its own types take no options at all.
  const stock = agentWith(stockMiddleware(options as never) as AgentMiddleware);
  const thread = newThread();
  await stock.invoke(question, thread);
  await expect(stock.invoke(new Command({ resume: "yes" }), thread)).rejects.toThrow();
  await expect(stock.invoke(approve, thread)).rejects.toThrow(); // the right answer, too late
  const agent = agentWith(humanInTheLoopMiddleware(options));
  // #region repair
  const { repaired, why } = await repairThread(agent, thread);
  if (repaired)
    await agent.invoke(null, thread); // asks again
  else console.log(why);
  // #endregion
  expect(repaired).toBe(true);
  await agent.invoke(approve, thread);
  expect(sent).toEqual(["bob@example.com: Hello"]);
});
