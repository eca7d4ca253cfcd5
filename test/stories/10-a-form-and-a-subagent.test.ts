import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cards, hears, type Language, openStage, picture, say, type Stage } from "./stage.ts";

const config = "test/stories/plays/help-desk.config.ts";
const languages: readonly Language[] = ["en", "zh-CN"];

describe.each(languages)("in %s", (language) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({ language, config });
  });
  afterAll(() => stage.close());

  test("a tool's form waits through a restart, takes only what fits, and its answer reaches the tool", async () => {
    const page = await stage.openChat();
    await say(page, "Open a ticket");
    await cards(page).waitFor();
    await stage.restart();
    await page.reload();
    await cards(page).waitFor();
    await picture(page, `story-10-card-${language}`);
    await page.getByTestId("respond").click();
    await page.getByTestId("field:priority").waitFor();
    await picture(page, `story-10-form-${language}`);
    const send = page.getByTestId("send-respond");
    expect(await send.isDisabled()).toBe(true);
    await page.getByTestId("field:priority").selectOption({ label: "high" });
    expect(await send.isDisabled()).toBe(false);
    await page.getByTestId("add:hours").click();
    await page.getByTestId("field:hours").fill("50");
    await page.getByText("40").first().waitFor();
    expect(await send.isDisabled()).toBe(true);
    await picture(page, `story-10-form-wrong-${language}`);
    await page.getByTestId("field:hours").fill("8");
    await picture(page, `story-10-form-filled-${language}`);
    await send.click();
    await hears(page, /done/);
    expect(await page.getByTestId("tool-result").textContent()).toContain(
      'Printer: {"priority":"high","hours":8}',
    );
    await picture(page, `story-10-form-answered-${language}`);
  });

  test("a card says which agent asks, and inside which call", async () => {
    await stage.closePages();
    const page = await stage.openChat();
    await say(page, "Thank Ann");
    const line = cards(page).getByTestId("subagent");
    expect(await line.textContent()).toContain("desk → general-purpose");
    await picture(page, `story-10-subagent-${language}`);
    const inbox = await stage.openInbox();
    await inbox.getByTestId("inbox-row").first().click();
    await cards(inbox).getByTestId("subagent").waitFor();
    await picture(inbox, `story-10-subagent-inbox-${language}`);
    await cards(inbox).getByTestId("approve").click();
    await hears(page, /done/);
  });
});
