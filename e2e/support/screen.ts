import { expect, type Locator, type Page } from "@playwright/test";
import { mouseOf } from "./hands";

export async function openRun(page: Page, runId: string, query = ""): Promise<void> {
  await page.goto(`/runs/${runId}${query}`);
  // On a phone, a step in the URL is shown before the page.
  await expect(page.getByRole("heading", { level: 1 }).or(page.getByRole("dialog")).first()).toBeVisible();
}

/** By a key, which does nothing until the page has hydrated. */
export async function openByKey(page: Page, key: string, opened: Locator): Promise<void> {
  await expect(async () => {
    if (!(await opened.isVisible())) await page.keyboard.press(key);
    await expect(opened).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

/** By a press, which does nothing until the page has hydrated. */
export async function openByPress(button: Locator, opened: Locator): Promise<void> {
  await expect(async () => {
    if (!(await opened.isVisible())) await button.click();
    await expect(opened).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

export async function openPalette(page: Page, key: "Control+k" | "/" = "Control+k"): Promise<Locator> {
  const field = page.getByRole("combobox", { name: "Search or run a command" });
  await openByKey(page, key, field);
  await expect(field).toBeFocused();
  return field;
}

/** The status that a run's page shows, and announces when it changes. */
export async function expectStatus(page: Page, word: string): Promise<void> {
  await expect(
    page
      .getByRole("main")
      .getByRole("status")
      .filter({ hasText: new RegExp(`^${word}$`) }),
  ).toBeVisible();
}

/** Opens the dialog of an action through the menu of all actions. */
export async function chooseAct(page: Page, label: string, hands = mouseOf(page)): Promise<void> {
  await hands.press(page.getByRole("button", { name: /^(More actions|Actions)$/ }));
  await hands.press(page.getByRole("menuitem", { name: label }));
}

/** In the head of a run. The step that is shown beside the timeline has the same button. */
export const markCompensated = (page: Page) => page.getByRole("button", { name: "Mark compensated…" }).first();

export const reasonIn = (dialog: Locator) => dialog.getByRole("textbox", { name: "Reason (saved to the audit log)" });

/** Says why, presses the one button, and waits until the window has closed. */
export async function carryOut(
  dialog: Locator,
  button: string,
  reason: string,
  hands = mouseOf(dialog.page()),
): Promise<void> {
  await hands.write(reasonIn(dialog), reason);
  await hands.press(dialog.getByRole("button", { name: button, exact: true }));
  await expect(dialog).toBeHidden();
  await hands.expectPlaceKept();
}

/** A row of the timeline; a step that ran in several generations has one in each. */
export const timelineRow = (page: Page, step: string) =>
  page.getByRole("list", { name: /^(Timeline|Steps)/ }).getByRole("button", { name: new RegExp(`^${step}:`) });

/** A row of the runs table, by the key that people know the run by. */
export const runRow = (page: Page, key: string) => page.getByRole("row").filter({ hasText: key });
