import { expect, type Locator, type Page } from "@playwright/test";
import { expectNoOverflow } from "./overflow";

/** The input device. */
export const WAYS = ["mouse", "keys", "touch"] as const;
export type Way = (typeof WAYS)[number];

/** A user's interactions with a page. A spec written with them runs with a mouse, by keys alone, or by touch. */
export interface Hands {
  way: Way;
  press(what: Locator): Promise<void>;
  /** Replaces the field's content. */
  write(field: Locator, text: string): Promise<void>;
  /** Of a list of the browser's own: the one whose text begins so. */
  choose(list: Locator, option: string): Promise<void>;
  /** The open window, or the pane beside the page. */
  close(): Promise<void>;
  /** After a window has closed, or what was pressed has gone. */
  expectPlaceKept(): Promise<void>;
}

export const handsOf = (page: Page, way: Way): Hands => ({ mouse: mouseOf, keys: keysOf, touch: thumbOf })[way](page);

async function pick(list: Locator, option: string): Promise<void> {
  const texts = await list.locator("option").allTextContents();
  await list.selectOption({ index: texts.findIndex((text) => text.trim().startsWith(option)) });
}

const closing = (page: Page) => page.getByRole("button", { name: /^Close( \(Esc\))?$/ }).last();

export const mouseOf = (page: Page): Hands => ({
  way: "mouse",
  press: (what) => what.click(),
  write: (field, text) => field.fill(text),
  choose: pick,
  close: () => closing(page).click(),
  expectPlaceKept: async () => undefined,
});

const UNTIL_A_TOAST_HAS_GONE_MS = 8_000;

/** Whatever it presses has to be large enough for it, and nothing wider than the screen. */
function thumbOf(page: Page): Hands {
  const press = async (what: Locator) => {
    await expect(what).toBeVisible();
    await expectNoOverflow(page);
    await expect
      .poll(() => what.evaluate(missedByAThumb), {
        message: `what a thumb misses of ${what}`,
        timeout: UNTIL_A_TOAST_HAS_GONE_MS,
      })
      .toEqual([]);
    await what.tap();
  };
  return {
    way: "touch",
    press,
    write: async (field, text) => {
      await press(field);
      await field.fill(text);
    },
    choose: async (list, option) => {
      await press(list);
      await pick(list, option);
    },
    close: () => press(closing(page)),
    expectPlaceKept: async () => undefined,
  };
}

/** WCAG's 44 px, around the middle; words in a sentence are as high as their line. */
function missedByAThumb(pressed: Element): string[] {
  const REACH_PX = 21;
  const target = pressed.closest("summary") ?? pressed;
  const inSentence = [...(target.parentElement?.childNodes ?? [])].some(
    ({ nodeType, data }: Node & { data?: string }) => nodeType === Node.TEXT_NODE && data?.trim(),
  );
  if (inSentence || getComputedStyle(target).display === "inline") return [];
  target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const { left, top, width, height } = target.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const isOurs = (hit: Element | null) =>
    hit === null ||
    target.contains(hit) ||
    hit.closest("label")?.control === target ||
    hit.contains(target.closest("label"));
  return [
    ["above", x, y - REACH_PX],
    ["below", x, y + REACH_PX],
    ["left", x - REACH_PX, y],
    ["right", x + REACH_PX, y],
  ]
    .filter(([, atX, atY]) => !isOurs(document.elementFromPoint(Number(atX), Number(atY))))
    .map(([where]) => `${where} (it is ${Math.round(width)} × ${Math.round(height)})`);
}

/** More presses than a user would make. */
const MOST_PRESSES = 150;

/** Nothing has the focus but by Tab, and inside of menus, tabs and choices by the arrows. */
function keysOf(page: Page): Hands {
  const reach = async (what: Locator) => {
    await expect(what).toBeVisible();
    for (let presses = 0; presses < MOST_PRESSES; presses++) {
      const key = await what.evaluate(nextKey);
      if (key === null) return;
      await page.keyboard.press(key);
    }
    throw new Error(`No key leads to ${what}.`);
  };
  return {
    way: "keys",
    press: async (what) => {
      await reach(what);
      await page.keyboard.press(await what.evaluate(pressingKey));
    },
    write: async (field, text) => {
      await reach(field);
      if ((await field.getAttribute("type")) === "datetime-local") await typeInstant(page, text);
      else {
        await page.keyboard.press("Control+A");
        await page.keyboard.type(text);
      }
      await expect(field).toHaveValue(text);
    },
    choose: async (list, option) => {
      await reach(list);
      for (let presses = 0; presses < MOST_PRESSES; presses++) {
        const key = await list.evaluate(keyTowards, option);
        if (key === null) return;
        await page.keyboard.press(key);
      }
      throw new Error(`No key leads to ${option} in ${list}.`);
    },
    close: () => page.keyboard.press("Escape"),
    expectPlaceKept: () =>
      expect
        .poll(() => page.evaluate(() => document.activeElement?.tagName), { message: "what has the focus" })
        .not.toBe("BODY"),
  };
}

/** Part by part, in the order of the browser's own language, which is not the page's: 11/17/2026, 01:30 PM. */
async function typeInstant({ keyboard }: Page, text: string): Promise<void> {
  const [year, month, day, hour, minute] = text.split(/\D/).map(Number) as [number, number, number, number, number];
  const two = (part: number) => String(part).padStart(2, "0");
  await keyboard.type(two(month) + two(day) + year);
  await keyboard.press("ArrowRight"); // a year may have more digits
  await keyboard.type(two(hour % 12 || 12) + two(minute) + (hour < 12 ? "AM" : "PM"));
}

/** What to press to come nearer to it; null: it has the focus. */
function nextKey(pressed: Element): string | null {
  // What is opened by its words.
  const target = pressed.closest("summary") ?? pressed;
  const active = document.activeElement ?? document.body;
  if (active === target) return null;
  const isBehind = Boolean(target.compareDocumentPosition(active) & Node.DOCUMENT_POSITION_FOLLOWING);
  const group = target.closest("[role=menu], [role=radiogroup], [role=tablist], [role=listbox]");
  const isAlike = (one: Element) =>
    one instanceof HTMLInputElement &&
    target instanceof HTMLInputElement &&
    target.type === "radio" &&
    one.type === "radio" &&
    one.name === target.name;
  if (group?.contains(active) || isAlike(active)) {
    const [back, on] =
      group?.getAttribute("role") === "tablist" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    return isBehind && active !== group ? back : on;
  }
  // Rows that arrows go through: Tab stops at one of them.
  const rows = target.closest("[data-arrows]");
  const row = target.closest("[data-index]");
  if (rows?.contains(active) && !row?.contains(active)) return isBehind ? "ArrowUp" : "ArrowDown";
  return isBehind && !active.contains(target) ? "Shift+Tab" : "Tab";
}

/** What presses it, once it has the focus. */
function pressingKey(target: Element): string {
  const role = target.getAttribute("role") ?? (target as HTMLInputElement).type ?? "";
  return ["checkbox", "radio", "switch"].includes(role) ? "Space" : "Enter";
}

function keyTowards(list: Element, text: string): string | null {
  const { options, selectedIndex } = list as HTMLSelectElement;
  const at = [...options].findIndex((option) => option.text.trim().startsWith(text));
  if (at === selectedIndex) return null;
  return at > selectedIndex ? "ArrowDown" : "ArrowUp";
}
