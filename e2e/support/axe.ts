import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const WCAG_2_2_AA = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

/** The page as it stands now, in the theme it shows now. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG_2_2_AA).analyze();
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  at ${target.join(" ")}\n  ${failureSummary}`),
  );
  expect(found, "what axe finds on this page").toEqual([]);
}
