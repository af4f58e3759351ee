import type { Page } from "@playwright/test";
import { oneIn } from "../../lib/testing/sample";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { expectAllInReach, expectNoOverflow, expectNoTextCut } from "../support/overflow";
import { aScene, PAGES, type Scene } from "../support/pages";
import { chooseAct, markCompensated } from "../support/screen";

const SCREENS = {
  wide: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};
type Screen = keyof typeof SCREENS;

let scene: Scene;

test.beforeAll(async () => {
  scene = await aScene();
});

/** What a wide screen shows at 200 % zoom. */
const ZOOMED = { width: 720, height: 450 };

/** In both themes: nothing that axe finds; and nothing wider than the screen or out of reach, also at 200 %. */
async function expectWell(page: Page): Promise<void> {
  const screen = page.viewportSize();
  if (screen && screen.width > ZOOMED.width) {
    await page.setViewportSize(ZOOMED);
    await expectNoOverflow(page);
    await expectAllInReach(page);
    await expectNoTextCut(page);
    await page.setViewportSize(screen);
  }
  await expectNoOverflow(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await expectNoAxeViolations(page, { coloursOnly: colorScheme === "dark" });
  }
}

/** Each window, opened from the page where people open it. */
const WINDOWS: Record<string, (page: Page, screen: Screen) => Promise<void>> = {
  "start a run": async (page) => {
    await page.goto("/runs");
    await page.getByRole("button", { name: "Start a run" }).click();
    await expect(page.getByRole("combobox", { name: "Workflow" })).toBeVisible();
  },
  rerun: async (page) => {
    await page.goto(`/runs/${scene.images.failed.id}`);
    await page.getByRole("button", { name: "Rerun from store-image…" }).click();
    await page.getByRole("checkbox", { name: "Use fresh idempotency keys" }).click();
    await page.getByRole("textbox", { name: /^Type/ }).fill("fresh");
  },
  "act on all that match": async (page) => {
    await page.goto("/runs?workflow=profile-image");
    await page.getByRole("button", { name: "Bulk action…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^Run by run/).click();
    await expect(dialog.getByRole("list", { name: "Runs of the plan" }).getByRole("listitem").first()).toBeVisible();
    await dialog.getByText("From another step, with another version, with fresh keys").click();
    await dialog.getByRole("checkbox", { name: "Use fresh idempotency keys" }).click();
    await expect(dialog.getByRole("textbox", { name: /^Type/ })).toBeVisible();
  },
  "the suggestions of the filter": async (page) => {
    await page.goto("/runs?since=24h");
    await page.getByRole("combobox", { name: "Filter runs" }).pressSequentially("workflow:");
    await expect(page.getByRole("option").first()).toBeVisible();
  },
  settle: async (page) => {
    await page.goto(`/runs/${scene.images.unknown.id}`);
    await page.getByRole("button", { name: "Resolve the unknown step…" }).click();
    await page.getByRole("textbox", { name: /^Output/ }).fill("{");
    await page.getByRole("button", { name: "Record that it happened" }).click();
    await expect(page.getByText("Enter a reason.")).toBeVisible();
  },
  "mark compensated": async (page) => {
    await page.goto(`/runs/${scene.images.compensationFailed.id}`);
    await markCompensated(page).click();
    await expect(page.getByRole("dialog", { name: "Resolve compensation of store-image" })).toBeVisible();
  },
  "retry the compensations": async (page) => {
    await page.goto(`/runs/${scene.images.compensationFailed.id}`);
    await chooseAct(page, "Retry failed compensations…");
    await expect(page.getByRole("dialog", { name: "Retry failed compensations" })).toBeVisible();
  },
  "send an event": async (page) => {
    await page.goto(`/runs/${scene.refund}?tab=events`);
    await page.getByRole("button", { name: "Send parcel.returned" }).click();
    await expect(page.getByRole("dialog", { name: "Send an event to this run" })).toBeVisible();
  },
  answer: async (page) => {
    await page.goto(`/runs/${scene.question}`);
    await page.getByRole("main").getByRole("button", { name: "Answer…" }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "change limits": async (page) => {
    await page.goto("/workflows");
    await page.getByRole("button", { name: "Change the limits of Profile image" }).click();
    await expect(page.getByRole("dialog", { name: "Limits of Profile image" })).toBeVisible();
  },
  "edit a schedule": async (page) => {
    await page.goto("/schedules/nightly-user-sync");
    await page.getByRole("button", { name: "Edit…" }).click();
    await expect(page.getByRole("dialog", { name: "Edit this schedule" })).toBeVisible();
  },
  "make a schedule": async (page) => {
    await page.goto("/schedules");
    await page.getByRole("button", { name: "New schedule…" }).click();
    await page.getByRole("button", { name: "Make the schedule" }).click();
    await expect(page.getByText("Use lower-case letters")).toBeVisible();
  },
  "preview a backfill": async (page) => {
    await page.goto("/schedules/nightly-user-sync");
    await page.getByRole("button", { name: "Backfill…" }).click();
    const dialog = page.getByRole("dialog", { name: "Backfill this schedule" });
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 16);
    await dialog.getByLabel("From").fill(day(9));
    await dialog.getByLabel("To", { exact: true }).fill(day(1));
    await expect(dialog).toContainText("will start");
  },
  "all acts": async (page) => {
    await page.goto(`/runs/${scene.images.failed.id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await expect(page.getByRole("menu")).toBeVisible();
  },
  "the palette": async (page) => {
    await page.goto(`/runs/${scene.images.failed.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByRole("button", { name: "Search or run a command" }).click();
    await expect(page.getByRole("option", { name: "Inbox" })).toBeVisible();
  },
  "the rest of a narrow or a wide screen": async (page, screen) => {
    await page.goto(screen === "phone" ? `/runs/${scene.images.failed.id}?step=store-image` : "/workers");
    if (screen === "phone") return expect(page.getByRole("dialog", { name: "store-image" })).toBeVisible();
    await page.getByRole("button", { name: "Keyboard keys" }).click();
    await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  },
};

const SIZES = ["wide", "phone"] as const;
/** What is opened at which size. */
const onEverySize = <Open>(places: Record<string, Open>) =>
  oneIn(
    5,
    Object.entries(places).flatMap(([name, open]) => SIZES.map((screen) => ({ screen, name, open }))),
  );
const LOOKED_AT = { pages: onEverySize(PAGES), windows: onEverySize(WINDOWS) };

for (const screen of SIZES) {
  test.describe(`on a ${screen} screen`, () => {
    test.use(SCREENS[screen]);

    test("every page is well in light and dark", async ({ page }) => {
      test.setTimeout(200_000); // there are many pages, and each is looked at twice
      for (const { name, open } of LOOKED_AT.pages.filter((look) => look.screen === screen))
        await test.step(name, async () => {
          await open(page, scene);
          await expectWell(page);
        });
    });

    test("every window is well in light and dark", async ({ page }) => {
      for (const { name, open } of LOOKED_AT.windows.filter((look) => look.screen === screen))
        await test.step(name, async () => {
          await open(page, screen);
          await expectWell(page);
        });
    });
  });
}

test.describe("at 200 %", () => {
  test.use({ viewport: ZOOMED });

  test("no main page is wider than the screen, nothing on it is cut or out of reach, and four runs are in sight", async ({
    page,
  }) => {
    for (const name of [
      "overview",
      "runs",
      "problems",
      "a problem",
      "a run that failed",
      "workflows",
      "workers",
      "settings",
    ])
      await test.step(name, async () => {
        await PAGES[name]?.(page, scene);
        await expectNoOverflow(page);
        await expectNoTextCut(page);
        await expectAllInReach(page);
      });
    await page.goto("/runs");
    const cards = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
    await expect(cards.nth(3)).toBeInViewport({ ratio: 1 });
  });
});

test("with more contrast, asked of the system or here, the densest pages are well", async ({ page }) => {
  const wellWithMore = async () => {
    await expect(page.locator("html")).toHaveAttribute("data-contrast", "more");
    await expectNoAxeViolations(page, { coloursOnly: true });
  };
  await page.emulateMedia({ contrast: "more", colorScheme: "light" });
  await PAGES.overview?.(page, scene);
  await wellWithMore();
  await PAGES["the graph of a run"]?.(page, scene);
  await wellWithMore();
  await page.emulateMedia({ contrast: "no-preference", colorScheme: "dark" });
  await PAGES["two runs compared"]?.(page, scene);
  await expect(page.locator("html")).not.toHaveAttribute("data-contrast");
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("menuitemradio", { name: "More" }).click();
  await wellWithMore();
  await PAGES.runs?.(page, scene);
  await page.getByRole("combobox", { name: "Filter runs" }).fill("wor");
  await expect(page.getByRole("option").first()).toBeVisible();
  await wellWithMore();
});

test("the theme is chosen, and stays chosen", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/workers");
  await page.getByRole("button", { name: "Theme: System" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.getByRole("button", { name: "Theme: Dark" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test.describe("where there is nothing", () => {
  test.use({ expectedErrors: /404 \(Not Found\)/ });

  test("the page that says so is well, too", async ({ page }) => {
    await page.goto("/nowhere");
    await expect(page.getByText("There is nothing at this address")).toBeVisible();
    await expectWell(page);
  });
});
