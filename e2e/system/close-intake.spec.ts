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
    await hands.press(item.getByRole("button", { name: "Close the intake of Order batch" }));
    const dialog = page.getByRole("dialog", { name: "Close the intake of Order batch" });
    await hands.press(dialog.getByRole("radio", { name: "Hold everything" }));
    await expect(dialog).toContainText("a body in flight finishes and is recorded");
    await hands.press(dialog.getByRole("radio", { name: "Hold what has not begun" }));
    await hands.press(dialog.getByRole("button", { name: "Close the intake" }));
    await expect(dialog).toContainText("Say why");
    await expectNoAxeViolations(page);
    await carryOut(dialog, "Close the intake", "Charges are wrong since version 7", hands);
    await expect(item).toContainText("Intake closed: what has not begun is held");
    await expectNoAxeViolations(page);

    const { id } = await handrail.start(batch());
    await openRun(page, id);
    await expect(page.getByText("The intake of its workflow is closed")).toBeVisible();
    await expect(page.getByText("Charges are wrong since version 7")).toBeVisible();
    await page.goto("/");
    await expect(page.getByText("The intake of Order batch is closed")).toBeVisible();
    await hands.press(page.getByRole("link", { name: "waits to begin" }));
    await expect(page).toHaveURL(/status=pending&workflow=order-batch/);
    expect((await handrail.run(id)).status).toBe("pending");

    await page.goto("/workflows");
    await hands.press(item.getByRole("button", { name: "Open the intake of Order batch" }));
    const opening = page.getByRole("dialog", { name: "Open the intake of Order batch" });
    await expect(opening).toContainText("to go on");
    await carryOut(opening, "Open the intake", "Version 8 is deployed", hands);
    await expect(item).not.toContainText("Intake closed");
    await untilRun(id, "completed");
  });
});
