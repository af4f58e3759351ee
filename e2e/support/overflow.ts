import { expect, type Page } from "@playwright/test";

/** Nothing that is read from top to bottom is wider than the screen: neither the page nor what scrolls inside it. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const down = [...document.querySelectorAll("*")].filter((element) =>
      ["auto", "scroll"].includes(getComputedStyle(element).overflowY),
    );
    const page = document.scrollingElement ? [document.scrollingElement] : [];
    return (
      [...page, ...down]
        .filter((element) => element.scrollHeight > 0 && element.scrollWidth > element.clientWidth + 1)
        // What is meant to be moved sideways says so, or is named and moved by its keys.
        .filter((element) => !element.closest("pre, .scrollbar-none, section[aria-label][tabindex]"))
        .map(
          (element) => `<${element.tagName.toLowerCase()} class="${element.className}"> is ${element.scrollWidth} wide`,
        )
    );
  });
  expect(wide, "what is wider than the screen").toEqual([]);
}
