import { askAs, handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { bothWays } from "../support/job";
import { freshId } from "../support/orders";
import { expectNoOverflow } from "../support/overflow";
import { carryOut, chooseAct, openRun } from "../support/screen";

test.use({ person: "admin", expectedErrors: /404 \(Not Found\)/ });

async function aCredit() {
  const accountId = freshId("acc");
  const { id } = await handrail.start({ workflow: "account-credit", input: { accountId, amountCents: 4_711 } });
  await untilRun(id, "completed");
  return { accountId, id };
}

/** Of two, the first, once the other could be deleted: a run is kept until the charts have counted its end. */
async function aCountedCredit() {
  const credit = await aCredit();
  const later = await aCredit();
  const deletion = () => askAs("admin", "POST", `/runs/${later.id}/deletion`, { reason: "Not needed" });
  await expect.poll(async () => (await deletion()).status, { timeout: 60_000 }).toBe(200);
  return credit;
}

bothWays(() => {
  test.slow();
  test("a run is deleted before its retention, with the typed word; the list is next, and its page says so", async ({
    page,
    hands,
  }) => {
    const { id } = await aCountedCredit();
    await openRun(page, id);
    const another = await page.context().newPage();
    await openRun(another, id);
    // A page behind another one draws late, and its menus take the focus with what they draw.
    await page.bringToFront();
    await chooseAct(page, "Delete the run…", hands);
    const dialog = page.getByRole("dialog", { name: "Delete 1 run" });
    const confirm = dialog.getByRole("button", { name: "Delete 1 run", exact: true });
    await expect(dialog).toContainText("is deleted with its child runs, and cannot be restored");
    await expect(dialog).toContainText("completed effect is not undone");
    await expect(confirm).toBeDisabled();
    await hands.write(dialog.getByRole("textbox", { name: "Type delete to continue" }), "delete");
    await expectNoAxeViolations(page);
    await expectNoOverflow(page);
    await carryOut(dialog, "Delete 1 run", "It holds a test with real data", hands);
    await expect(page).toHaveURL(/\/runs$/);
    // It had the page open, and nobody has reloaded it.
    await expect(another.getByText("Run not found")).toBeVisible();
    await another.close();
    await page.goto(`/runs/${id}`);
    await expect(page.getByText("Run not found")).toBeVisible();
    await page.goto("/audit");
    await expect(page.getByText("It holds a test with real data").first()).toBeVisible();
  });

  test("a person's data is erased by a tag: the preview counts, the values go, the steps and the key stay", async ({
    page,
    hands,
  }) => {
    const { accountId, id } = await aCredit();
    await page.goto("/retention");
    await hands.write(page.getByRole("textbox", { name: "Tag" }), "accountId");
    await hands.write(page.getByRole("textbox", { name: "Value" }), accountId);
    await hands.press(page.getByRole("button", { name: "Preview the erasure…" }));
    const dialog = page.getByRole("dialog", { name: "Erase the data of 1 run" });
    await expect(dialog).toContainText("it cannot be restored");
    await expect(dialog).not.toContainText("completed effect");
    await hands.write(dialog.getByRole("textbox", { name: "Type erase to continue" }), "erase");
    await expectNoAxeViolations(page);
    await expectNoOverflow(page);
    await carryOut(dialog, "Erase the data of 1 run", "Request 2026-114", hands);
    await expect.poll(async () => JSON.stringify(await handrail.run(id))).not.toContain("4711");
    await openRun(page, id, "?view=timeline");
    await expect(page.getByRole("button", { name: /^credit-account: Completed/ })).toBeVisible();
    await expect(page.getByRole("region", { name: "the input" })).toContainText("erased");
    expect(await page.content()).not.toContain(accountId);
  });
});
