import { ask, handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";
import { carryOut, expectStatus, openRun } from "../support/screen";

test("what a run waits for and what it received is in its Events tab, and sent from there", async ({ page }) => {
  const orderId = freshId("R");
  const { id } = await handrail.start({
    workflow: "refund-request",
    input: { accountId: orderId, orderId, parcelId: `P-${orderId}`, amountCents: 900, reason: "Too small." },
  });
  await untilRun(id, "waiting");
  for (let time = 1; time <= 2; time++)
    await ask("POST", `/runs/${id}/events`, { name: "parcel.seen", payload: { at: "Leipzig" }, id: "scan-1" });
  await openRun(page, id);
  await page.getByRole("tab", { name: /Events/ }).click();
  await expect(page.getByRole("list", { name: "Waiting for" })).toContainText(
    `parcel.returned to this run or for P-${orderId}`,
  );
  const came = page.getByRole("list", { name: "Received, latest first" });
  await expect(came.getByRole("listitem")).toHaveCount(1);
  await expect(came).toContainText("parcel.seennot received yet");
  await expect(came).toContainText("1 time with this id and refused");

  await page.getByRole("button", { name: "Send parcel.returned" }).click();
  const dialog = page.getByRole("dialog", { name: "Send an event to this run" });
  await expect(dialog.getByRole("textbox", { name: "Event" })).toHaveValue("parcel.returned");
  await dialog.getByRole("textbox", { name: /^Payload/ }).fill(`{ "parcelId": "P-${orderId}" }`);
  await carryOut(dialog, "Send the event", "The courier confirmed it on the phone");
  await expectStatus(page, "Completed");
  await expect(came.getByRole("listitem").first()).toContainText("received by parcel-returned");
  await expect(came.getByRole("listitem").first()).toContainText("by operator");
  await expect(page.getByRole("button", { name: "Send an event…" })).toBeDisabled();
  await expect(page.getByText(/no longer accepts events/)).toBeVisible();
});

test("a workflow says which event it begins with, and its run which one began it", async ({ page }) => {
  const accountId = freshId("acc");
  const { status } = await ask("POST", "/events", {
    name: "statement.asked",
    payload: { accountId },
    key: accountId,
    id: `ask:${accountId}`,
  });
  expect(status).toBe(202);
  await page.goto("/workflows");
  await expect(page.getByRole("listitem").filter({ hasText: "account-statement" })).toContainText(
    "starts on the event statement.asked",
  );
  await expect.poll(async () => (await handrail.runs({ q: accountId })).runs.length).toBe(1);
  const [run] = (await handrail.runs({ q: accountId })).runs;
  await openRun(page, run?.id ?? "");
  await page.getByRole("main").getByRole("link", { name: "statement.asked" }).click();
  await expect(page.getByText(`The event statement.asked for ${accountId} started this run`)).toBeVisible();
  await expect(page.getByText(`ask:${accountId}`, { exact: true })).toBeVisible();
});
