import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { freshId } from "../support/orders";
import { carryOut, expectStatus, openRun } from "../support/screen";

job("@job-11", () => {
  test("a person sends the event that a run waits for", async ({ page, hands }) => {
    const orderId = freshId("R");
    const { id } = await handrail.start({
      workflow: "refund-request",
      input: { accountId: orderId, orderId, parcelId: `P-${orderId}`, amountCents: 900, reason: "Too small." },
    });
    await untilRun(id, "waiting");
    await openRun(page, id);
    await expect(page.getByText("Continues when the event is sent.")).toBeVisible();
    await expect(page.getByText(`Event parcel.returned for P-${orderId}`)).toBeVisible();
    await hands.press(page.getByRole("button", { name: "Send the event…" }).first());
    const dialog = page.getByRole("dialog", { name: "Send an event to this run" });
    await expect(dialog.getByRole("textbox", { name: "Event" })).toHaveValue("parcel.returned");
    await hands.write(dialog.getByRole("textbox", { name: /^Payload/ }), `{ "parcelId": "P-${orderId}" }`);
    await carryOut(dialog, "Send the event", "The courier confirmed it on the phone", hands);
    await expectStatus(page, "Completed");
    const run = await handrail.run(id);
    expect(run.output).toMatchObject({ refunded: true });
    expect(run.events).toMatchObject([{ name: "parcel.returned", sentBy: "operator", takenByStep: "parcel-returned" }]);
  });
});
