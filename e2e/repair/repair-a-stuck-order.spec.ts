import { untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { chargesOf } from "../support/ledger";
import { batchFailedInAnOutage } from "../support/orders";
import { carryOut, expectStatus, openPalette } from "../support/screen";

job("@job-2", () => {
  test("a customer's order is found by its key, read in a sentence, and goes on by the one right button", async ({
    page,
    hands,
  }) => {
    const { orderId, step, key, run } = await batchFailedInAnOutage();
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
    if (hands.way === "keys") await openPalette(page, "/");
    else await hands.press(page.getByRole("button", { name: "Search or run a command" }));
    const search = page.getByRole("combobox", { name: "Search or run a command" });
    await expect(search).toBeFocused();
    await page.keyboard.type(key);
    const found = page.getByRole("option", { name: new RegExp(`^${key}`) });
    await expect(found).toBeVisible();
    if (hands.way === "keys") await page.keyboard.press("Enter");
    else await hands.press(found);

    await expect(page).toHaveURL(new RegExp(`/runs/${run.id}`));
    await expectStatus(page, "Failed");
    await expect(page.getByRole("heading", { level: 1 })).toContainText("payments is down; nothing was done");
    await hands.press(page.getByRole("button", { name: new RegExp(`^${step}: Failed`) }));
    await expect(page.getByRole("heading", { name: step }).first()).toBeVisible();
    await hands.close();
    await hands.expectPlaceKept();

    await hands.press(page.getByRole("button", { name: `Rerun from ${step}…` }));
    await carryOut(page.getByRole("dialog", { name: `Rerun from ${step}` }), "Rerun", "The gateway is back", hands);
    await expectStatus(page, "Completed");
    await untilRun(run.id, "completed");
    expect(await chargesOf(orderId)).toMatchObject([{ requests: 1 }]);
  });
});
