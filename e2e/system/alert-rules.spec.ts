import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { expectNoOverflow } from "../support/overflow";
import { reasonIn } from "../support/screen";

test.use({ person: "admin" });
test.describe.configure({ timeout: 120_000 });

/** Judged every ten seconds, and fetched every five. */
const JUDGED = { timeout: 45_000 };

test("an admin makes a rule, sees it fire, acknowledges it, and sees it resolve", async ({ page }) => {
  const name = `too-few-workers-${Date.now()}`;
  await page.goto("/alerts");
  // Those that are there from the start.
  await expect(page.getByRole("listitem").filter({ hasText: "fewer than 1 worker is live" })).toContainText(
    "no-worker",
  );

  await page.getByRole("button", { name: "Add a rule" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an alert rule" });
  await expect(dialog).toContainText("With these numbers it");
  await dialog.getByLabel("Watches").selectOption("Live workers");
  await dialog.getByLabel("Fires below (workers)").fill("500");
  await dialog.getByLabel("Fires after (minutes)").fill("0");
  await dialog.getByLabel("Resolves after (minutes)").fill("0");
  await dialog.getByLabel("Muted every week").fill("every night");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await expect(dialog).toContainText("Enter a name.");
  await expect(dialog).toContainText('"every night" is not read.');
  await expect(dialog).toContainText(/live \(limit 500\)/);
  await expectNoAxeViolations(page);
  await expectNoOverflow(page);
  await dialog.getByLabel("Muted every week").fill("");
  await dialog.getByLabel("Name").fill(name);
  await reasonIn(dialog).fill("The night shift asks for it");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await expect(dialog).toBeHidden();

  const row = page.getByRole("listitem").filter({ hasText: `${name}Fires when` });
  await expect(row).toContainText("Firing", JUDGED);
  await page.goto("/");
  await page.getByRole("link", { name: `View alert ${name}` }).click();
  const sheet = page.getByRole("dialog", { name });
  await expect(sheet).toContainText("What to do");
  await expectNoAxeViolations(page);
  await expectNoOverflow(page);
  await sheet.getByRole("button", { name: "Acknowledge" }).click();
  await expect(sheet).toContainText(/acknowledged by/);
  await expect(sheet.getByRole("button", { name: "Acknowledge" })).toBeHidden();

  await sheet.getByRole("button", { name: "Mute…" }).click();
  const mute = page.getByRole("dialog", { name: `Mute ${name}` });
  await reasonIn(mute).fill("It is known");
  await mute.getByRole("button", { name: "Mute rule" }).click();
  await expect(sheet).toContainText(/Muted by .* until/);

  await sheet.getByRole("button", { name: "Change…" }).click();
  const change = page.getByRole("dialog", { name: `Change ${name}` });
  await change.getByLabel("Fires below (workers)").fill("1");
  await reasonIn(change).fill("One is enough");
  await change.getByRole("button", { name: "Save changes" }).click();
  await expect(change).toBeHidden();
  await expect(sheet).toContainText("Over after", JUDGED);

  await sheet.getByRole("button", { name: "Remove…" }).click();
  const removal = page.getByRole("dialog", { name: `Remove ${name}` });
  await reasonIn(removal).fill("The night is over");
  await removal.getByRole("button", { name: "Remove rule" }).click();
  await expect(row).toBeHidden();
});
