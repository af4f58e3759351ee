import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { atTheGateway, chargesOf } from "../support/ledger";
import { aMailbox, freshId } from "../support/orders";
import { expectStatus, openRun, reasonIn } from "../support/screen";

/** The run begins late enough for its key to be taken first. */
const HEAD_START_MS = 1_000;

test("a provider that refuses the old key gets a fresh one, once the word is typed", async ({ page }) => {
  const orderId = freshId("E");
  const { id } = await handrail.start({
    workflow: "order-fulfilment",
    input: { orderId, amountCents: 4_900, email: aMailbox() },
    runAt: new Date(Date.now() + HEAD_START_MS).toISOString(),
  });
  const key = `${id}:charge-payment:1`;
  await atTheGateway("charges", key, { orderId: `${orderId}-other`, amountCents: 100 });
  await untilRun(id, "failed");

  await openRun(page, id);
  await page.getByRole("button", { name: "Rerun from charge-payment…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rerun from charge-payment" });
  const rerun = dialog.getByRole("button", { name: "Rerun", exact: true });
  await reasonIn(dialog).fill("The gateway holds our key for something else");
  await dialog.getByRole("checkbox", { name: "Use fresh idempotency keys" }).click();
  await expect(dialog.getByRole("radio", { name: "charge-payment" })).toHaveAccessibleDescription(
    "runs again · fresh key",
  );
  await expect(rerun).toBeDisabled();
  const word = dialog.getByRole("textbox", { name: "Type fresh keys to continue" });
  await word.fill("fresh key");
  await expect(rerun).toBeDisabled();
  await word.fill("fresh keys");
  await rerun.click();
  await expect(dialog).toBeHidden();

  await expectStatus(page, "Completed");
  await expect(page.getByText("rerun by operator")).toContainText("fresh keys");
  const { steps } = await untilRun(id, "completed");
  expect(await chargesOf(orderId)).toMatchObject([{ requests: 1, idempotencyKey: `${id}:charge-payment:2` }]);
  expect(steps.filter(({ name }) => name === "charge-payment").map((step) => step.idempotencyKey)).toEqual([
    key,
    `${id}:charge-payment:2`,
  ]);
});
