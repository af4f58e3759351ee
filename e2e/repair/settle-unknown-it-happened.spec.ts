import { stepOf, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { chargesOf } from "../support/ledger";
import { batchWithUnknownCharge } from "../support/orders";
import { carryOut, expectStatus, openRun } from "../support/screen";

job("@job-3", () => {
  test("a person who found the charge gives its reference and output, and the gateway is not asked again", async ({
    page,
    hands,
  }) => {
    const { orderId, step, run } = await batchWithUnknownCharge();
    const charges = await chargesOf(orderId);
    expect(charges).toHaveLength(1);
    const id = String(charges[0]?.id);

    await openRun(page, run.id, `?step=${step}`);
    await hands.press(page.getByRole("button", { name: "It happened…" }));
    const dialog = page.getByRole("dialog", { name: `Resolve ${step}` });
    await expect(dialog.getByRole("radio", { name: "It happened" })).toBeChecked();
    await hands.write(dialog.getByRole("textbox", { name: /^Reference/ }), id);
    const output = dialog.getByRole("textbox", { name: /^Output/ });
    await hands.write(output, '{ "id": ');
    await expect(output).toHaveAccessibleDescription(/^Invalid JSON/);
    await hands.write(output, JSON.stringify({ id, orderId }));
    await carryOut(dialog, "Record that it happened", "Found it in the gateway's list", hands);

    await hands.close();
    await expectStatus(page, "Completed");
    const after = await untilRun(run.id, "completed");
    expect(stepOf(after, step)).toMatchObject({ status: "completed", reference: id, output: { id, orderId } });
    expect(after.output).toEqual({ charged: 1 });
    expect(after.audit[0]).toMatchObject({ act: "settle", step, actor: "operator" });
    expect(await chargesOf(orderId)).toEqual(charges);
  });
});
