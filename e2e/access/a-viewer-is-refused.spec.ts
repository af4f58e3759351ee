import { askAs, handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";
import { openRun } from "../support/screen";

// The browser's own message about the refusal.
test.use({ person: "viewer", expectedErrors: /403 \(Forbidden\)/ });

test("what an operator does to a run is closed to a viewer, with the reason that the server gives and the audit keeps", async ({
  page,
}) => {
  const input = { accountId: freshId("acc"), amountCents: 100 };
  const { id } = await handrail.start({ workflow: "account-credit", input });
  await untilRun(id, "completed");
  await openRun(page, id);
  await page.getByRole("button", { name: "Actions" }).click();
  for (const [label, words] of [
    ["Rerun from a step…", "rerun runs"],
    ["Cancel the run…", "cancel runs"],
    ["Compensate…", "compensate runs"],
  ] as const) {
    const item = page.getByRole("menuitem", { name: label });
    await expect(item).toHaveAttribute("aria-disabled", "true");
    await expect(item).toContainText(`You may not ${words}. It takes the role operator.`);
  }
  await expectNoAxeViolations(page);

  const refused = await askAs("viewer", "POST", `/runs/${id}/reruns`, { reason: "All the same" });
  expect(refused).toMatchObject({
    status: 403,
    body: { error: { message: "You may not rerun runs. It takes the role operator." } },
  });
  const { audit } = await handrail.run(id);
  expect(audit).toMatchObject([{ act: "rerun", actor: "viewer", result: "denied" }]);

  await page.goto("/audit");
  await expect(page.getByText("You may not look at the audit. It takes the role operator.").first()).toBeVisible();
});
