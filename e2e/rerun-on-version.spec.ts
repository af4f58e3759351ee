import { handrail, untilRun } from "./support/api";
import { expectNoAxeViolations } from "./support/axe";
import { expect, test } from "./support/console-errors";
import { carryOut, expectStatus, openRun, timelineRow } from "./support/screen";

/** Of the demo's own data: see prisma/seed.ts. */
const LETTER = "A-20376";

test("a run that version 1 has failed is rerun on version 2, and the steps say what that code leaves out", {
  tag: "@phone",
}, async ({ page }) => {
  const [failed] = (await handrail.runs({ q: LETTER, workflow: ["delivery-letter"] })).runs;
  const id = failed?.id as string;
  await openRun(page, id);
  await expectStatus(page, "Failed");
  await page.getByRole("button", { name: "Rerun from check-postcode…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rerun from check-postcode" });
  await dialog.getByLabel("Go on with").selectOption({ label: "version 2, 1 worker" });
  await expect(dialog).toContainText("1 step again, and whatever follows, by version 2.");
  await expect(dialog).toContainText("the run stops before harm");
  await expectNoAxeViolations(page);
  await carryOut(dialog, "Rerun", "Version 2 knows Britain");
  await expectStatus(page, "Completed");

  await expect(page.getByText("delivery-letter v1, now v2")).toBeVisible();
  await expect(page.getByText("Version 2 went another way")).toBeVisible();
  await expect(timelineRow(page, "write-letter")).toContainText("not in v2");
  await expect(timelineRow(page, "look-up-country")).toContainText("new in v2");
  await timelineRow(page, "compose-letter").click();
  await expect(page.getByText("1 · v2")).toBeVisible();
  await expectNoAxeViolations(page);
  expect(await untilRun(id, "completed")).toMatchObject({
    version: 1,
    codeVersion: 2,
    chosenVersion: 2,
    drift: [{ gone: ["write-letter"], next: "look-up-country", stopped: false }],
  });
});
