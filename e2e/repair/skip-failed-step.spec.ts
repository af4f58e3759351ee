import { stepOf, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { chargesOf } from "../support/ledger";
import { declinedOrder } from "../support/orders";
import { carryOut, chooseAct, expectStatus, openRun, timelineRow } from "../support/screen";

job("@job-5", () => {
  test("a failed step that was done manually gets its output, and the run continues with it", async ({
    page,
    hands,
  }) => {
    const { orderId, run } = await declinedOrder();
    await openRun(page, run.id, "?step=charge-payment");
    await hands.press(page.getByRole("button", { name: "Set output…" }));
    const dialog = page.getByRole("dialog", { name: "Resolve charge-payment" });
    await expect(dialog.getByRole("radio", { name: "It was done manually" })).toBeChecked();
    await hands.write(dialog.getByRole("textbox", { name: /^Reference/ }), "transfer-81");
    await hands.write(dialog.getByRole("textbox", { name: /^Output/ }), '{ "id": "transfer-81" }');
    await carryOut(dialog, "Record that it happened", "Paid by bank transfer", hands);

    await hands.close();
    await expectStatus(page, "Completed");
    // A phone begins with the list of steps, which has no lanes.
    if (hands.way === "keys")
      await expect(page.getByText("resolved by operator")).toContainText("Paid by bank transfer");
    await expect(timelineRow(page, "charge-payment")).toHaveCount(2);
    const after = await untilRun(run.id, "completed");
    expect(stepOf(after, "charge-payment")).toMatchObject({ reference: "transfer-81", attempts: [], attempt: 0 });
    expect(after.output).toMatchObject({ chargeId: "transfer-81" });
    expect(await chargesOf(orderId)).toEqual([]);
  });
});

job("@job-5", () => {
  test("a failed step is skipped: the run goes on without its result", async ({ page, hands }) => {
    const { run } = await declinedOrder();
    await openRun(page, run.id);
    await chooseAct(page, "Skip or resolve the failed step…", hands);
    const dialog = page.getByRole("dialog", { name: "Resolve charge-payment" });
    await hands.press(dialog.getByRole("radio", { name: "Skip step" }));
    await expect(dialog.getByRole("textbox", { name: /^Output/ })).toBeHidden();
    await carryOut(dialog, "Skip the step", "Nobody pays for samples", hands);

    await expect(page.getByText("Skipped; the run continues")).toBeVisible();
    await expect.poll(async () => stepStatus(run.id)).toBe("skipped");
    // The workflow reads the charge's id from the result that it no longer gets: the failure is the code's, and
    // reported as such.
    await expectStatus(page, "Failed");
    await expect(page.getByRole("heading", { level: 1 })).toContainText("1 step was skipped.");
  });
});

async function stepStatus(runId: string) {
  return stepOf(await untilRun(runId, "failed"), "charge-payment").status;
}
