import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";
import { carryOut, chooseAct, openRun } from "../support/screen";

const HOUR_MS = 3_600_000;

test("a run that has not begun is moved to another version, by which it then goes", async ({ page }) => {
  const letter = { orderId: freshId("E"), email: `${freshId("e")}@shop.example`, postcode: "20095" };
  const { id } = await handrail.start({
    workflow: "delivery-letter",
    input: letter,
    runAt: new Date(Date.now() + HOUR_MS).toISOString(),
  });
  await openRun(page, id);
  await chooseAct(page, "Move to another version…");
  const dialog = page.getByRole("dialog", { name: "Move this run to another version" });
  await expect(dialog.getByRole("button", { name: "Move the run" })).toBeDisabled();
  const versions = dialog.getByLabel("Version");
  await versions.selectOption({ index: 1 });
  const chosen = Number(await versions.inputValue());
  await carryOut(dialog, "Move the run", "The other one has the fix");
  await expect(page.getByText(`The run continues with version ${chosen}`)).toBeVisible();
  expect((await handrail.run(id)).chosenVersion).toBe(chosen);

  await chooseAct(page, "Start it now…");
  await carryOut(page.getByRole("dialog"), "Start now", "No need to wait");
  expect((await untilRun(id, "completed")).codeVersion).toBe(chosen);
});
