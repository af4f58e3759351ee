import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const WCAG_2_2_AA = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
/** The rules among them that look at colours: all that another theme can change. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** Far longer than anything of ours takes to fade in. A browser that draws nothing ends no animation. */
const STILL_MS = 2_000;

/** What fades in has not its own colours yet. A spinner never ends, and is not waited for. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async (patienceMs) => {
    const moving = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
        );
    const still = async () => {
      for (let found = moving(); found.length > 0; found = moving()) {
        await Promise.allSettled(found.map(({ finished }) => finished));
        await new Promise((resolve) => setTimeout(resolve)); // lets the patience below run out
      }
    };
    await Promise.race([still(), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  }, STILL_MS);
}

/** The page as it is now, in its current theme. */
export async function expectNoAxeViolations(page: Page, { coloursOnly = false } = {}): Promise<void> {
  // What a dialog is about to show, and the button that waits for it.
  await expect(page.getByRole("dialog").locator(".animate-pulse")).toHaveCount(0);
  await untilStill(page);
  // Legacy: in the page itself. There are no frames, for which the other mode opens a second page each time.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (coloursOnly ? axe.withRules(COLOURS) : axe.withTags(WCAG_2_2_AA)).analyze();
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  at ${target.join(" ")}\n  ${failureSummary}`),
  );
  expect(found, "what axe finds on this page").toEqual([]);
}
