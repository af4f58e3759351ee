import { handrail, untilRun } from "./support/api";
import { expectNoAxeViolations } from "./support/axe";
import { expect, test } from "./support/console-errors";
import { chargesOf } from "./support/ledger";
import { declinedOrder, freshId } from "./support/orders";
import { chooseAct, expectStatus, openRun, reasonIn } from "./support/screen";

test("a run that cannot go on is started anew with an edited input, and each run names the other", {
  tag: "@phone",
}, async ({ page }) => {
  const { run } = await declinedOrder();
  const orderId = freshId("E");
  await openRun(page, run.id);
  await chooseAct(page, "Start a new run…");
  const dialog = page.getByRole("dialog", { name: "Start a new run" });
  const field = (name: string) => dialog.getByRole("textbox", { name });
  await expect(field("orderId")).toHaveValue(/^DECLINED/);
  await field("orderId").fill(orderId);
  await expect(dialog.getByText("The input does not fit yet")).toBeVisible(); // for the address is masked
  await expect(dialog.getByRole("button", { name: "Start the new run" })).toBeDisabled();
  await field("email").fill(`${orderId.toLowerCase()}@shop.example`);
  await reasonIn(dialog).fill("Another card, under another number");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Start the new run" }).click();
  await expect(dialog).toBeHidden();

  await expect(page.getByText("Started in the place of")).toBeVisible();
  await expectStatus(page, "Completed");
  const { startedAs } = await handrail.run(run.id);
  expect(startedAs).toHaveLength(1);
  expect(await untilRun(startedAs[0] as string, "completed")).toMatchObject({
    startedFrom: run.id,
    input: { orderId },
  });
  expect(await chargesOf(orderId)).toHaveLength(1);

  await page.getByText("Started in the place of").getByRole("link").click();
  await expectStatus(page, "Failed");
  await expect(page.getByText("Started again as")).toBeVisible();
});
