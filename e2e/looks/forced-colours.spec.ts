import type { Locator } from "@playwright/test";
import { expect, test } from "../support/console-errors";
import { aScene, type Scene } from "../support/pages";

let scene: Scene;

test.beforeAll(async () => {
  scene = await aScene();
});

test.beforeEach(({ page }) => page.emulateMedia({ forcedColors: "active", colorScheme: "dark" }));

/** Pixels of what is seen that are neither black, white nor grey. */
async function colouredPixels(what: Locator): Promise<number> {
  const png = (await what.screenshot()).toString("base64");
  return what.page().evaluate(async (encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    if (!context) throw new Error("This browser has no canvas.");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let coloured = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) coloured++;
    }
    return coloured;
  }, png);
}

test("bars, dots and marks are seen with the system's own colours", async ({ page }) => {
  await page.goto(`/runs/${scene.images.failed.id}`);
  const timeline = page.getByRole("list", { name: /^Timeline of/ });
  await expect(timeline.locator("[data-bar]").first()).toBeVisible();
  // What is beside the rows is loaded after them, and moves them while a picture is taken.
  const legend = page.getByRole("list", { name: "Legend" });
  await expect(legend).toBeVisible();
  await expect.poll(() => colouredPixels(timeline)).toBeGreaterThan(50);
  await expect.poll(() => colouredPixels(legend)).toBeGreaterThan(50);
  await page.goto(`/runs?q=${scene.images.failed.id}`);
  const dots = page.locator(`#run-${scene.images.failed.id}`).getByRole("img", { name: /^\d+ steps?/ });
  // What is above the rows is loaded after them, too.
  await expect.poll(() => colouredPixels(dots)).toBeGreaterThan(20);
});

test("what is chosen is marked, and nothing else", async ({ page }) => {
  await page.goto(`/runs/${scene.images.failed.id}`);
  const underline = (tab: Locator) => tab.evaluate((element) => getComputedStyle(element).borderBottomColor);
  const chosen = await underline(page.getByRole("tab", { selected: true }));
  for (const tab of await page.getByRole("tab", { selected: false }).all())
    expect(await underline(tab)).not.toBe(chosen);
  const outline = (input: Locator) =>
    input.evaluate((element) => getComputedStyle(element.closest("label") ?? element).outlineStyle);
  const views = page.getByRole("radiogroup").first().getByRole("radio");
  await expect(views.first()).toBeVisible();
  for (const view of await views.all()) expect(await outline(view)).toBe((await view.isChecked()) ? "solid" : "none");
});
