import { untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { chargesOf, mailTo } from "../support/ledger";
import { batchWithUnknownCharge, orderWithUnknownMail } from "../support/orders";
import { carryOut, expectStatus, openRun } from "../support/screen";

test("a person's wrong answer charges nobody twice: the key is the same", async ({ page }) => {
  const { orderId, step, run } = await batchWithUnknownCharge();
  const [before] = await chargesOf(orderId);
  await openRun(page, run.id, `?step=${step}`);
  await page.getByRole("button", { name: "It did not happen…" }).click();
  const dialog = page.getByRole("dialog", { name: `Resolve ${step}` });
  await expect(dialog.getByRole("radio", { name: "It did not happen" })).toBeChecked();
  await carryOut(dialog, "Run the step", "It is not in the gateway's list");

  await expectStatus(page, "Completed");
  await untilRun(run.id, "completed");
  expect(await chargesOf(orderId)).toEqual([{ ...before, requests: Number(before?.requests) + 1 }]);
});

test("a mail has no key: sent again it arrives again, under the same Message-ID", async ({ page }) => {
  const { email, run } = await orderWithUnknownMail();
  await openRun(page, run.id);
  await page.getByRole("button", { name: "Resolve the unknown step…" }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve send-confirmation" });
  await dialog.getByRole("radio", { name: "It did not happen" }).click();
  await carryOut(dialog, "Run the step", "The customer says that nothing came");

  await expectStatus(page, "Completed");
  const mails = await mailTo(email);
  expect(mails).toHaveLength(2);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
});
