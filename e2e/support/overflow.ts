import { expect, type Page } from "@playwright/test";

/**
 * Nothing that is read from top to bottom is wider than the screen: neither the page nor what scrolls inside it. The page itself is no
 * longer than the screen, either: it scrolls beside the navigation.
 */
export async function expectNoOverflow(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(whatIsWide), { message: "what is wider than the screen" }).toEqual([]);
  const beneath = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  await expect.poll(beneath, { message: "what is beneath the shell" }).toBe(0);
}

function whatIsWide(): string[] {
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
}

/** No text is cut off by its box without a sign of it, such as an ellipsis. */
export async function expectNoTextCut(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(whatIsCut), { message: "what text is cut" }).toEqual([]);
}

function whatIsCut(): string[] {
  const slack = 2;
  return (
    [...document.querySelectorAll<HTMLElement>("main *, nav *, [role=dialog] *")]
      .filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
      )
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      // For screen readers alone.
      .filter((element) => !element.closest(".sr-only, svg, [aria-hidden=true]"))
      .filter((element) => {
        const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element);
        const clips = (overflow: string) => overflow === "hidden" || overflow === "clip";
        const wide =
          clips(overflowX) && textOverflow !== "ellipsis" && element.scrollWidth > element.clientWidth + slack;
        const high =
          clips(overflowY) && webkitLineClamp === "none" && element.scrollHeight > element.clientHeight + slack;
        return element.clientWidth > 1 && (wide || (high && textOverflow !== "ellipsis"));
      })
      .map((element) => element.outerHTML.slice(0, 160))
  );
}

/** Everything focusable, in the open window if there is one, can be scrolled to where nothing covers it. */
export async function expectAllInReach(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(whatIsCovered), { message: "what cannot be reached on this screen" })
    .toEqual([]);
}

function whatIsCovered(): string[] {
  const before = [...document.querySelectorAll("[role=dialog], [role=menu], [role=listbox]")].at(-1);
  return (
    [
      ...(before ?? document).querySelectorAll(
        "a[href], button, input, select, textarea, summary, [role=option], [tabindex='0']",
      ),
    ]
      // The way past the navigation comes when it has the focus.
      .filter((element) => element.getAttribute("href") !== "#main")
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => !element.closest("[inert], [aria-hidden=true]") && element.getBoundingClientRect().width > 1)
      .filter((element) => {
        element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { left, top, width, height } = element.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        return !hit || !(element.contains(hit) || hit.contains(element) || hit.closest("label")?.control === element);
      })
      .map((element) => element.outerHTML.slice(0, 160))
  );
}
