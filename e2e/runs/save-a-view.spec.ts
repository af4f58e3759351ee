import type { SavedView } from "../../lib/api/contract/views";
import { ask, askAs, handrail } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";

test("a value of the input becomes a column, the table is saved as a view of the team, and its link shows a viewer the same", async ({
  page,
  as,
}) => {
  const accountId = freshId("acc");
  const { id } = await handrail.start({ workflow: "account-credit", input: { accountId, amountCents: 4_711 } });
  await page.goto(`/runs?q=${accountId}`);
  await expect(page.locator(`#run-${id}`)).toBeVisible();

  await page.getByRole("button", { name: "Columns" }).click();
  const columns = page.getByRole("dialog", { name: "Columns" });
  await columns.getByRole("searchbox").fill("input.amountCents");
  await columns.getByRole("button", { name: "Add the column input.amountCents" }).click();
  await columns.getByRole("searchbox").fill("");
  await columns.getByRole("checkbox", { name: "Steps" }).click();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader")).toContainText(["", "Status", "Workflow", "Key", "Current step"]);
  await expect(page.locator(`#run-${id}`)).toContainText("4711");

  const name = `Credits ${accountId}`;
  await page.getByRole("button", { name: "Save as a view…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as a view" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("checkbox", { name: "Share with the team" }).click();
  await dialog.getByRole("button", { name: "Save as a new view" }).click();
  await expect(page.getByRole("button", { name: `View: ${name}`, exact: true })).toBeVisible();

  const viewer = await as("viewer");
  await viewer.goto(page.url().replace(/\?.*(view=[^&]+).*/, "?$1"));
  await expect(viewer.getByRole("button", { name: `View: ${name}`, exact: true })).toBeVisible();
  await expect(viewer.locator(`#run-${id}`)).toContainText("4711");
  await expect(viewer.getByRole("columnheader", { name: "Steps" })).toBeHidden();

  const { body } = await askAs<{ views: SavedView[] }>("viewer", "GET", "/views");
  const saved = body.views.find((view) => view.name === name);
  expect((await ask("POST", `/views/${saved?.id}/deletion`, { revision: saved?.revision })).status).toBe(200);
});
