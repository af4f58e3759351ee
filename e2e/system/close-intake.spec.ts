import { ask, handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { freshId } from "../support/orders";
import { carryOut, openRun } from "../support/screen";

const batch = () => ({ workflow: "order-batch", input: { orderIds: [freshId("E")] } });

/** Whatever the spec's result: later specs start runs of this workflow, too. */
test.afterEach(() => ask("POST", "/workflows/order-batch/intake/opening", { reason: "The spec is over" }));

job(["@job-8", "@job-9"], () => {
  test("an operator closes a workflow's intake, sees what it holds and why, and opens it again", async ({
    page,
    hands,
  }) => {
    await page.goto("/workflows");
    const item = page.getByRole("listitem").filter({ hasText: "order-batch" });
    await hands.press(item.getByRole("button", { name: "Pause new runs of Order batch" }));
    const dialog = page.getByRole("dialog", { name: "Pause new runs of Order batch" });
    await hands.press(dialog.getByRole("radio", { name: "All runs" }));
    await expect(dialog).toContainText("a step in flight finishes and is recorded");
    await hands.press(dialog.getByRole("radio", { name: "New runs" }));
    await hands.press(dialog.getByRole("button", { name: "Pause new runs" }));
    await expect(dialog).toContainText("Enter a reason");
    await expectNoAxeViolations(page);
    await carryOut(dialog, "Pause new runs", "Charges are wrong since version 7", hands);
    await expect(item).toContainText("New runs are paused");
    await expectNoAxeViolations(page);

    const { id } = await handrail.start(batch());
    await openRun(page, id);
    await expect(page.getByText("New runs are paused")).toBeVisible();
    await expect(page.getByText("Charges are wrong since version 7")).toBeVisible();
    await page.goto("/");
    await expect(page.getByText("New runs of Order batch are paused")).toBeVisible();
    await hands.press(page.getByRole("link", { name: "waits to start" }));
    await expect(page).toHaveURL(/status=pending&workflow=order-batch/);
    expect((await handrail.run(id)).status).toBe("pending");

    await page.goto("/workflows");
    await hands.press(item.getByRole("button", { name: "Resume new runs of Order batch" }));
    const opening = page.getByRole("dialog", { name: "Resume new runs of Order batch" });
    await expect(opening).toContainText("waiting");
    await carryOut(opening, "Resume new runs", "Version 8 is deployed", hands);
    await expect(item).not.toContainText("New runs are paused");
    await untilRun(id, "completed");
  });
});
