import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cards, hears, type Language, openStage, picture, say, type Stage } from "./stage.ts";

const config = "test/stories/plays/deadline.config.ts";
const languages: readonly Language[] = ["en", "zh-CN"];

describe.each(languages)("in %s", (language) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({ language, config });
  });
  afterAll(() => stage.close());

  test("what nobody has decided before its deadline is rejected, although the server was dead when it passed", async () => {
    const page = await stage.openChat();
    await say(page, "Refund order 7");
    await cards(page).getByTestId("deadline").waitFor();
    await picture(page, `story-12-open-${language}`);
    await stage.server().kill9();
    await page.waitForTimeout(4_000); // the deadline passes with nobody there to see it
    await stage.startAgain();
    await page.reload();
    await hears(page, /done/);
    expect(await page.getByTestId("approve").count()).toBe(0);
    expect(await page.getByTestId("tool-result").textContent()).toMatch(/deadline|期限/);
    expect(await page.getByText("Refunded 40").count()).toBe(0);
    await picture(page, `story-12-expired-${language}`);
    const inbox = await stage.openInbox();
    await inbox.getByTestId("inbox-empty").waitFor();
    await inbox.getByTestId("tab-decided").click();
    await inbox.getByTestId("inbox-row").first().click();
    await cards(inbox).waitFor();
    await picture(inbox, `story-12-inbox-${language}`);
  });
});
