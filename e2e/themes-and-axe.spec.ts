import type { Page } from "@playwright/test";
import { ask, handrail, untilRun } from "./support/api";
import { expectNoAxeViolations } from "./support/axe";
import { expect, test } from "./support/console-errors";
import { imagesInTrouble, type TroubledImages } from "./support/images";
import { freshId } from "./support/orders";
import { expectNoOverflow } from "./support/overflow";
import { chooseAct } from "./support/screen";

const SCREENS = {
  wide: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};
type Screen = keyof typeof SCREENS;

let images: TroubledImages;
let reran: string;
let family: { root: string; order: string };
let refund: string;
let question: string;
let operation: string;

test.use({ contextOptions: { reducedMotion: "reduce" } });

test.beforeAll(async () => {
  images = await imagesInTrouble();
  const credit = { workflow: "account-credit", input: { accountId: freshId("acc"), amountCents: 100 } };
  reran = (await handrail.start(credit)).id;
  await untilRun(reran, "completed");
  await handrail.rerun(reran, { fromStep: "credit-account", reason: "Credited to the wrong account" });
  await untilRun(reran, "completed");
  family = await aFamily();
  refund = await aRefund(900);
  question = await aRefund(12_000);
  operation = await anOperation();
});

/** On runs of its own. */
async function anOperation(): Promise<string> {
  const runIds = [await aRefund(700), await aRefund(800)];
  const request = { act: "pause", params: {}, selection: { runIds } };
  const { body: plan } = await ask<{ id: string; hash: string }>("POST", "/plans", request);
  const execution = { hash: plan.hash, reason: "The parcels are late", canary: 1, ratePerSecond: 100 };
  return (await ask<{ id: string }>("POST", `/plans/${plan.id}/executions`, execution)).body.id;
}

/** Of the demo's own data, so that the gateway is left alone: see prisma/seed.ts. */
async function aFamily() {
  const [root] = (await handrail.runs({ q: "demo:autumn" })).runs;
  const order = root && (await handrail.run(root.id)).rootCause?.runId;
  if (!order) throw new Error("The demo has no campaign with an order that failed.");
  return { root: root.id, order };
}

/** Waits for its parcel, or first for an answer; something else has come twice. */
async function aRefund(amountCents: number) {
  const orderId = freshId("R");
  const input = { accountId: orderId, orderId, parcelId: `P-${orderId}`, amountCents, reason: "Too small." };
  const { id } = await handrail.start({ workflow: "refund-request", input });
  await untilRun(id, "waiting");
  for (let time = 1; time <= 2; time++)
    await ask("POST", `/runs/${id}/events`, { name: "parcel.seen", payload: { at: "Leipzig" }, id: "scan-1" });
  return id;
}

/** In both themes: nothing that axe finds, and nothing wider than the screen. */
async function expectWell(page: Page): Promise<void> {
  await expectNoOverflow(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await expectNoAxeViolations(page, { coloursOnly: colorScheme === "dark" });
  }
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).first();

/** Each page, and what is there once it is. */
const PAGES: Record<string, (page: Page) => Promise<void>> = {
  overview: async (page) => {
    await page.goto("/");
    await expect(heading(page, "Needs a person")).toBeVisible();
  },
  runs: async (page) => {
    await page.goto(`/runs?workflow=profile-image&run=${images.failed.id}`);
    await expect(heading(page, /Store image failed 4 times/)).toBeVisible();
  },
  "runs, and none of them fits": async (page) => {
    await page.goto(`/runs?q=${freshId("nobody")}`);
    await expect(page.getByText("No run fits these filters")).toBeVisible();
  },
  problems: async (page) => {
    await page.goto("/problems");
    await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
  },
  "a problem": async (page) => {
    await page.goto("/problems");
    await page.getByRole("main").getByRole("listitem").getByRole("link").first().click();
    await page.getByRole("link", { name: "Open", exact: true }).click();
    await expect(heading(page, "History")).toBeVisible();
  },
  "a run that failed": async (page) => {
    await page.goto(`/runs/${images.failed.id}`);
    await expect(heading(page, /Store image failed 4 times/)).toBeVisible();
  },
  "a run with a step that nobody knows of": async (page) => {
    await page.goto(`/runs/${images.unknown.id}?step=store-image`);
    await expect(page.getByRole("button", { name: "It did not happen…" })).toBeVisible();
  },
  "a run that is being undone": async (page) => {
    await page.goto(`/runs/${images.undoFailed.id}`);
    await expect(page.getByRole("button", { name: "Mark compensated…" })).toBeVisible();
  },
  "a run that was rerun": async (page) => {
    // Named, for on a phone a run opens with the list of its steps.
    await page.goto(`/runs/${reran}?view=timeline`);
    await expect(page.getByText("rerun by operator")).toBeVisible();
  },
  "the audit of a run": async (page) => {
    await page.goto(`/runs/${reran}?tab=audit`);
    await expect(page.getByText("Credited to the wrong account")).toBeVisible();
  },
  "a run as JSON": async (page) => {
    await page.goto(`/runs/${reran}?tab=raw`);
    await expect(page.getByRole("tabpanel", { name: "Raw" })).toContainText(reran);
  },
  "the children of a run": async (page) => {
    await page.goto(`/runs/${family.root}?tab=children`);
    await expect(page.getByText("The root cause", { exact: true })).toBeVisible();
  },
  "a run deep in a tree": async (page) => {
    await page.goto(`/runs/${family.order}`);
    await expect(page.getByRole("navigation", { name: "From the root of its tree" })).toBeVisible();
  },
  "the events of a run": async (page) => {
    await page.goto(`/runs/${refund}?tab=events`);
    await expect(page.getByText("1 time with this id and refused")).toBeVisible();
  },
  "a run without events": async (page) => {
    await page.goto(`/runs/${reran}?tab=events`);
    await expect(page.getByText("No event has to do with this run")).toBeVisible();
  },
  "the effects of a run": async (page) => {
    await page.goto(`/runs/${reran}?tab=effects`);
    await expect(page.getByText("Something may have happened twice.")).toBeVisible();
  },
  "the effects of many runs": async (page) => {
    await page.goto("/effects");
    await expect(page.getByRole("table", { name: "Effects" })).toBeVisible();
  },
  "the audit": async (page) => {
    await page.goto("/audit");
    await expect(page.getByRole("list", { name: "Acts" })).toBeVisible();
    await expect(page.getByText(/rows are what was written/)).toBeVisible();
  },
  "the log of a run": async (page) => {
    await page.goto(`/runs/${reran}?tab=logs`);
    await expect(page.getByText("The run has said nothing")).toBeVisible();
  },
  approvals: async (page) => {
    await page.goto("/approvals");
    await expect(heading(page, "Waiting for an answer")).toBeVisible();
  },
  compensations: async (page) => {
    await page.goto("/compensations");
    await expect(page.getByRole("button", { name: "Try again…" }).first()).toBeVisible();
  },
  operations: async (page) => {
    await page.goto("/operations");
    await expect(page.getByText("The parcels are late").first()).toBeVisible();
  },
  "an operation": async (page) => {
    await page.goto(`/operations/${operation}`);
    await expect(page.getByRole("list", { name: "What became of each run" }).getByText("Paused")).toHaveCount(2);
  },
  workflows: async (page) => {
    await page.goto("/workflows");
    await expect(heading(page, "Workflows")).toBeVisible();
  },
  schedules: async (page) => {
    await page.goto("/schedules");
    await expect(page.getByRole("link", { name: "Nightly user sync" })).toBeVisible();
  },
  "a schedule": async (page) => {
    await page.goto("/schedules/nightly-user-sync");
    await expect(heading(page, "Last firings")).toBeVisible();
  },
  workers: async (page) => {
    await page.goto("/workers");
    await expect(heading(page, "At work")).toBeVisible();
  },
  sandbox: async (page) => {
    await page.goto("/sandbox");
    await expect(page.getByText(/charged twice/).first()).toBeVisible();
    await expect(heading(page, "Blob store")).toBeVisible();
  },
};

/** Each window, opened from the page where people open it. */
const WINDOWS: Record<string, (page: Page, screen: Screen) => Promise<void>> = {
  "start a run": async (page) => {
    await page.goto("/runs");
    await page.getByRole("button", { name: "Start a run" }).click();
    await expect(page.getByRole("combobox", { name: "Workflow" })).toBeVisible();
  },
  rerun: async (page) => {
    await page.goto(`/runs/${images.failed.id}`);
    await page.getByRole("button", { name: "Rerun from store-image…" }).click();
    await page.getByRole("checkbox", { name: "Use fresh idempotency keys" }).click();
    await page.getByRole("textbox", { name: /^Type/ }).fill("fresh");
  },
  "act on all that match": async (page) => {
    await page.goto("/runs?workflow=profile-image");
    await page.getByRole("button", { name: "Act on all that match…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^Run by run/).click();
    await expect(dialog.getByRole("list", { name: "Runs of the plan" }).getByRole("listitem").first()).toBeVisible();
    await dialog.getByText("From another step, by another version, with fresh keys").click();
    await dialog.getByRole("checkbox", { name: "Use fresh idempotency keys" }).click();
    await expect(dialog.getByRole("textbox", { name: /^Type/ })).toBeVisible();
  },
  settle: async (page) => {
    await page.goto(`/runs/${images.unknown.id}`);
    await page.getByRole("button", { name: "Settle the unknown step…" }).click();
    await page.getByRole("textbox", { name: /^Output/ }).fill("{");
    await page.getByRole("button", { name: "Record that it happened" }).click();
    await expect(page.getByText("Say why, in a few words.")).toBeVisible();
  },
  "mark compensated": async (page) => {
    await page.goto(`/runs/${images.undoFailed.id}`);
    await page.getByRole("button", { name: "Mark compensated…" }).click();
    await expect(page.getByRole("dialog", { name: "Undo of store-image" })).toBeVisible();
  },
  "try the undos again": async (page) => {
    await page.goto(`/runs/${images.undoFailed.id}`);
    await chooseAct(page, "Try the failed undos again…");
    await expect(page.getByRole("dialog", { name: "Try the failed undos again" })).toBeVisible();
  },
  "send an event": async (page) => {
    await page.goto(`/runs/${refund}?tab=events`);
    await page.getByRole("button", { name: "Send parcel.returned" }).click();
    await expect(page.getByRole("dialog", { name: "Send an event to this run" })).toBeVisible();
  },
  answer: async (page) => {
    await page.goto(`/runs/${question}`);
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
  "preview a backfill": async (page) => {
    await page.goto("/schedules/nightly-user-sync");
    await page.getByRole("button", { name: "Backfill…" }).click();
    const dialog = page.getByRole("dialog", { name: "Backfill this schedule" });
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 16);
    await dialog.getByLabel("From").fill(day(9));
    await dialog.getByLabel("To").fill(day(1));
    await expect(dialog).toContainText("nominal times");
  },
  "all acts": async (page) => {
    await page.goto(`/runs/${images.failed.id}`);
    await page.getByRole("button", { name: "More acts" }).click();
    await expect(page.getByRole("menu")).toBeVisible();
  },
  "the palette": async (page) => {
    await page.goto(`/runs/${images.failed.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByRole("button", { name: "Search or act" }).click();
    await expect(page.getByRole("option", { name: "Overview" })).toBeVisible();
  },
  "the rest of a narrow or a wide screen": async (page, screen) => {
    await page.goto(screen === "phone" ? `/runs/${images.failed.id}?step=store-image` : "/workers");
    if (screen === "phone") return expect(page.getByRole("dialog", { name: "store-image" })).toBeVisible();
    await page.getByRole("button", { name: "Keyboard keys" }).click();
    await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  },
};

for (const screen of ["wide", "phone"] as const) {
  test.describe(`on a ${screen} screen`, () => {
    test.use(SCREENS[screen]);

    test("every page is well in light and dark", async ({ page }) => {
      test.setTimeout(200_000); // there are many pages, and each is looked at twice
      for (const [name, open] of Object.entries(PAGES))
        await test.step(name, async () => {
          await open(page);
          await expectWell(page);
        });
    });

    test("every window is well in light and dark", async ({ page }) => {
      for (const [name, open] of Object.entries(WINDOWS))
        await test.step(name, async () => {
          await open(page, screen);
          await expectWell(page);
        });
    });
  });
}

test("the theme is chosen, and stays chosen", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/workers");
  await page.getByRole("button", { name: "Theme: As the system" }).click();
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
