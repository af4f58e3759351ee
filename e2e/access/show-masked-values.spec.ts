import { askAs, handrail } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { freshId } from "../support/orders";
import { expectNoOverflow } from "../support/overflow";
import { reasonIn } from "../support/screen";

/** An order that is to begin in an hour: nothing has to work for it. */
async function maskedOrder() {
  const email = `${freshId("private").toLowerCase()}@shop.example`;
  const input = { orderId: freshId("M"), amountCents: 4_900, email };
  return { email, run: await handrail.start({ workflow: "order-fulfilment", input, delayMs: 3_600_000 }) };
}

job("@job-14", () => {
  test("a customer's run is shown without their data; who may look gives a reason, sees it, and the audit says so", async ({
    page,
    hands,
    as,
  }) => {
    const { email, run } = await maskedOrder();
    const path = `/runs/${run.id}`;

    const viewer = await as("viewer");
    await viewer.goto(path);
    await expect(viewer.getByRole("region", { name: "the input" })).toContainText("email: ••• masked");
    expect(await viewer.content()).not.toContain(email);
    const closed = viewer.getByRole("button", { name: "Show masked values…" });
    await expect(closed).toHaveAttribute("aria-disabled", "true");
    await closed.focus();
    await expect(viewer.getByRole("tooltip")).toContainText("It is granted apart from roles.");
    const refused = await askAs("viewer", "POST", `${path}/unmasking`, { reason: "curious" });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
    for (const read of [path, `/runs?workflow=order-fulfilment&limit=50`, `${path}/logs`, `/runs?q=${email}`])
      expect(JSON.stringify((await askAs("viewer", "GET", read)).body)).not.toContain(email);

    await page.goto(path);
    await expect(page.getByRole("region", { name: "the input" })).toContainText("email: ••• masked");
    expect(await page.content()).not.toContain(email);
    await hands.press(page.getByRole("button", { name: "Show masked values…" }));
    const dialog = page.getByRole("dialog", { name: "Show masked values" });
    await hands.press(dialog.getByRole("button", { name: "Show masked values" }));
    await expect(dialog.getByText("Enter a reason.")).toBeVisible();
    await hands.write(reasonIn(dialog), "They asked where it was sent");
    await expectNoAxeViolations(page);
    await hands.press(dialog.getByRole("button", { name: "Show masked values" }));
    await expect(page.getByRole("region", { name: "the input" })).toContainText(email);
    await expect(page.getByRole("region", { name: "Masked values are shown" })).toBeVisible();
    expect(page.url()).not.toContain("unmask");
    await expectNoAxeViolations(page);
    await expectNoOverflow(page);

    await page.reload();
    await expect(page.getByRole("region", { name: "the input" })).toContainText("email: ••• masked");
    await hands.press(page.getByRole("tab", { name: /Audit/ }));
    const row = page.getByRole("listitem").filter({ hasText: "viewed the masked values of the run" });
    await expect(row).toContainText("They asked where it was sent");
    const tried = page.getByRole("listitem").filter({ hasText: "tried to view the masked values of" });
    await expect(tried).toContainText("viewer");

    await handrail.cancel(run.id, { reason: "The spec is done" });
  });
});
