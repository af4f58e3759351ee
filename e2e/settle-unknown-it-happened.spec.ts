import { stepOf, untilRun } from "./support/api";
import { expect, test } from "./support/console-errors";
import { chargesOf } from "./support/ledger";
import { batchWithUnknownCharge } from "./support/orders";
import { carryOut, expectStatus, openRun } from "./support/screen";

test("a person who found the charge gives its reference and output, and the gateway is not asked again", async ({
  page,
}) => {
  const { orderId, step, run } = await batchWithUnknownCharge();
  const charges = await chargesOf(orderId);
  expect(charges).toHaveLength(1);
  const id = String(charges[0]?.id);

  await openRun(page, run.id, `?step=${step}`);
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await inspector.getByRole("button", { name: "It happened…" }).click();
  const dialog = page.getByRole("dialog", { name: `What became of ${step}?` });
  await expect(dialog.getByRole("radio", { name: "It happened" })).toBeChecked();
  await dialog.getByRole("textbox", { name: /^Reference/ }).fill(id);
  const output = dialog.getByRole("textbox", { name: /^Output/ });
  await output.fill('{ "id": ');
  await expect(output).toHaveAccessibleDescription(/^This is not JSON yet/);
  await output.fill(JSON.stringify({ id, orderId }));
  await carryOut(dialog, "Record that it happened", "Found it in the gateway's list");

  await expectStatus(page, "Completed");
  const after = await untilRun(run.id, "completed");
  expect(stepOf(after, step)).toMatchObject({ status: "completed", reference: id, output: { id, orderId } });
  expect(after.output).toEqual({ charged: 1 });
  expect(after.audit[0]).toMatchObject({ act: "settle", step, actor: "operator" });
  expect(await chargesOf(orderId)).toEqual(charges);
});
