import type { Page } from "@playwright/test";
import { handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { mouseOf } from "../support/hands";
import { job } from "../support/job";
import { freshId } from "../support/orders";
import { expectNoOverflow } from "../support/overflow";
import { carryOut, reasonIn } from "../support/screen";

/** They have sent a mail, which has no compensation, and sleep; found by the customer that they share. */
async function sleepers(count: number): Promise<{ customer: string; ids: string[] }> {
  const customer = `${freshId("e")}@shop.example`;
  const input = { email: customer, delaySeconds: 3_600 };
  const runs = await Promise.all(
    Array.from({ length: count }, () => handrail.start({ workflow: "welcome-reminder", input })),
  );
  await Promise.all(runs.map(({ id }) => untilRun(id, "waiting")));
  return { customer, ids: runs.map(({ id }) => id) };
}

/** At one per second, so many leave enough time to abort. */
const COUNT = 15;

const rowAt = (page: Page, at: number) => page.getByRole("row").nth(at + 1);
const bar = (page: Page) => page.getByRole("region", { name: "Selected runs" });

async function atPace(page: Page, pace: { first: string; rate: string }, hands = mouseOf(page)): Promise<void> {
  const dialog = page.getByRole("dialog");
  await hands.press(dialog.getByText(/Pauses automatically/));
  await hands.write(dialog.getByRole("textbox", { name: "Canary: runs first" }), pace.first);
  await hands.write(dialog.getByRole("textbox", { name: "Runs per second" }), pace.rate);
}

test("runs are chosen by pointer, range and keyboard, cancelled with the typed word although an effect stays, and the operation is steered", async ({
  page,
}) => {
  const { customer, ids } = await sleepers(6);
  await page.goto(`/runs?q=${customer}`);
  await rowAt(page, 1).getByRole("checkbox").click();
  await rowAt(page, 3)
    .getByRole("checkbox")
    .click({ modifiers: ["Shift"] });
  await expect(bar(page)).toContainText("3 selected");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(bar(page)).toContainText("4 selected");
  await page.keyboard.press("k");
  for (let press = 0; press < 5; press++) await page.keyboard.press("Shift+J");
  await expect(bar(page)).toContainText("6 selected");
  await expectNoAxeViolations(page);

  await bar(page).getByRole("button", { name: "Cancel…" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel 6 runs" });
  await expect(dialog).toContainText("6 runs; 6 end without finishing; 6 cannot be fully compensated.");
  await dialog.getByText("Run by run (6)").click();
  const item = dialog.getByRole("listitem").filter({ hasText: "welcome-reminder" }).first();
  await item.getByText("1 effect completed").click();
  await expect(item).toContainText("send-welcome");
  await expect(item.getByRole("button", { name: "Copy the reference" })).toBeVisible();
  await reasonIn(dialog).fill("They have moved to another shop");
  await expect(dialog.getByRole("button", { name: "Cancel 6 runs" })).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Type cancel to continue" }).fill("cancel");
  await atPace(page, { first: "0", rate: "1" });
  await dialog.getByRole("button", { name: "Cancel 6 runs" }).click();

  await expect(page.getByRole("heading", { level: 1, name: "Cancel 6 runs" })).toBeVisible();
  await page.getByRole("button", { name: "Pause…" }).click();
  await carryOut(page.getByRole("dialog"), "Pause the operation", "Let us look");
  await expect(page.getByText("Paused by operator: Let us look")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Change the rate…" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Runs per second" }).fill("100");
  await carryOut(page.getByRole("dialog"), "Change the rate", "They are few");
  await page.getByRole("button", { name: "Resume…" }).click();
  await carryOut(page.getByRole("dialog"), "Resume the operation", "It is well");
  await expect(page.getByText(/^6 of 6 runs, in/)).toBeVisible();
  for (const id of ids) await untilRun(id, "cancelled");

  await page.getByRole("link", { name: "Bulk actions" }).first().click();
  const entry = page.getByRole("listitem").filter({ hasText: "They have moved to another shop" });
  await expect(entry).toContainText("Completed");
});

job("@job-7", () => {
  test("all that match are cancelled, an abort leaves the rest as it is, and a viewer sees why not", async ({
    page,
    hands,
    as,
  }) => {
    const { customer, ids } = await sleepers(COUNT);
    await page.goto(`/runs?q=${customer}`);
    await hands.press(page.getByRole("button", { name: "Bulk action…" }));
    const dialog = page.getByRole("dialog");
    await hands.press(dialog.getByRole("radio", { name: "Cancel" }));
    await expect(dialog).toContainText(
      `${COUNT} runs; ${COUNT} end without finishing; ${COUNT} cannot be fully compensated.`,
    );
    await hands.write(reasonIn(dialog), "They are far too many");
    await hands.write(dialog.getByRole("textbox", { name: "Type cancel to continue" }), "cancel");
    await atPace(page, { first: "0", rate: "1" }, hands);
    await expectNoOverflow(page);
    await hands.press(dialog.getByRole("button", { name: `Cancel ${COUNT} runs` }));
    await hands.press(page.getByRole("button", { name: "Abort…" }));
    await carryOut(page.getByRole("dialog"), "Abort the operation", "They are orders of customers", hands);
    await expect(page.getByText(`of ${COUNT} runs; the others stay as they are`)).toBeVisible();
    await expectNoOverflow(page);
    const statuses = await Promise.all(ids.map(async (id) => (await handrail.run(id)).status));
    expect(statuses).toContain("waiting");

    const viewer = await as("viewer");
    await viewer.goto(`/runs?q=${customer}`);
    const closed = viewer.getByRole("button", { name: "Bulk action…" });
    await expect(closed).toHaveAttribute("aria-disabled", "true");
  });
});
