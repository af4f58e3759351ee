import { handrail, untilRun } from "./support/api";
import { expect, test } from "./support/console-errors";
import { mailTo } from "./support/ledger";
import { freshId } from "./support/orders";
import { carryOut, chooseAct, expectStatus, openRun } from "./support/screen";

test("a person ends a sleep, and what follows happens now", { tag: "@phone" }, async ({ page }) => {
  const email = `${freshId("e")}@shop.example`;
  const { id } = await handrail.start({ workflow: "welcome-reminder", input: { email, delaySeconds: 3_600 } });
  await untilRun(id, "waiting");
  await openRun(page, id);
  await chooseAct(page, "End the wait now…");
  const dialog = page.getByRole("dialog", { name: "End the wait now" });
  await expect(dialog).toContainText("asleep until");
  await carryOut(dialog, "End the wait", "They asked for it today");
  await untilRun(id, "completed");
  await expectStatus(page, "Completed");
  expect(await mailTo(email)).toHaveLength(2);
  expect((await handrail.run(id)).audit).toMatchObject([{ act: "wake", reason: "They asked for it today" }]);
});
