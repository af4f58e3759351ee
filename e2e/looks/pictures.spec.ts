import { type Browser, type BrowserContextOptions, expect, type Page, test } from "@playwright/test";
import { oneIn } from "../../lib/testing/sample";
import { freePort } from "../../scripts/ports";
import { type OwnServer, startOwnServer } from "../support/own-server";
import { holdSteady } from "../support/steady";

/**
 * The main pages on the demo as it is seeded, before anybody has touched it, beside two sets of pictures: those in docs/pictures, which
 * the docs show, and a matrix of themes and widths in e2e/looks/pictures, of which `npm test` compares one in three. After a change of
 * looks: `npx playwright test pictures --project beside --no-deps --update-snapshots`, and look at them.
 */
test.describe.configure({ mode: "serial" });

let server: OwnServer;
let cookie: string;
let run: { id: string; startedAt: string };

/** The seed is complete when this order's answer is lost and nothing is in progress any more. */
const UNKNOWN_ORDER = "A-20409";

test.beforeAll(async () => {
  test.setTimeout(180_000);
  const [sandbox, smtp] = await Promise.all([freePort(), freePort()]);
  const ports = { HANDRAIL_SANDBOX_PORT: String(sandbox), HANDRAIL_SMTP_PORT: String(smtp) };
  server = await startOwnServer({ ...ports, HANDRAIL_WORKER: "on" }, "demo");
  await server.said(/Handrail is running/);
  cookie = await beTheOperator();
  run = await orderRun();
});
test.afterAll(() => server?.stop());

async function beTheOperator(): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/demo/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ role: "operator" }),
  });
  return /^handrail=([^;]+)/.exec(response.headers.get("set-cookie") ?? "")?.[1] ?? "";
}

async function orderRun(): Promise<{ id: string; startedAt: string }> {
  const address = `${server.url}/api/v1/runs?q=${UNKNOWN_ORDER}`;
  const response = await fetch(address, { headers: { cookie: `handrail=${cookie}` } });
  const { runs } = (await response.json()) as { runs: { id: string; startedAt: string }[] };
  if (!runs[0]) throw new Error(`The demo has no run of ${UNKNOWN_ORDER}.`);
  return runs[0];
}

/** Each with what is there when it is whole. */
const DOCS_PAGES: Record<string, (page: Page) => Promise<void>> = {
  overview: async (page) => {
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Rerun 27 runs" })).toBeVisible();
  },
  runs: async (page) => {
    await page.goto("/runs");
    await expect(page.getByText("A-20433")).toBeVisible();
  },
  run: async (page) => {
    await page.goto(`/runs/${run.id}`);
    await expect(page.getByText("charge-payment").filter({ visible: true }).first()).toBeVisible();
    // Not in what the server sends: a picture is taken as soon as two are alike, and those before are.
    await expect(page.getByRole("button", { name: /^Show masked values/ })).toBeVisible();
  },
  problem: async (page) => {
    await page.goto("/problems");
    await page.getByRole("link", { name: /^ServiceUnavailable at charge-payment/ }).click();
    await page.getByRole("link", { name: "Open", exact: true }).click();
    await expect(page.getByRole("heading", { name: /charge-payment/, level: 1 })).toBeVisible();
  },
  compensations: async (page) => {
    await page.goto("/compensations");
    await expect(page.getByText("Compensation failed", { exact: true })).toBeVisible();
  },
  workflows: async (page) => {
    await page.goto("/workflows");
    await expect(page.getByText("Order fulfilment").first()).toBeVisible();
  },
  design: async (page) => {
    await page.goto("/design");
    await expect(page.getByText("Tokens").first()).toBeVisible();
  },
};

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const DOCS_SCREENS = {
  light: { colorScheme: "light", viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: "dark", viewport: { width: 1440, height: 900 } },
  phone: { colorScheme: "light", ...PHONE },
} as const;

/** Of the run, on the pictures. */
const AGE_MS = 31_000;

const ON_THE_PHONE = ["overview", "run"];

/** A page of the operator's, whose clock is the same however long this machine took until here. */
async function pageOn(browser: Browser, screen: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ ...screen, reducedMotion: "reduce", baseURL: server.url });
  await context.addCookies([{ name: "handrail", value: cookie, url: server.url }]);
  const page = await context.newPage();
  await page.clock.setFixedTime(new Date(Date.parse(run.startedAt) + AGE_MS));
  return page;
}

for (const [screen, options] of Object.entries(DOCS_SCREENS))
  test(`${screen}: the main pages look as in the docs`, async ({ browser }) => {
    const page = await pageOn(browser, options);
    for (const [name, open] of Object.entries(DOCS_PAGES)) {
      if (screen === "phone" && !ON_THE_PHONE.includes(name)) continue;
      await open(page);
      // Soft, so that one run reports every page. Clocks go on and ids are new: some hundred characters may differ, and
      // no more.
      const picture = ["docs", "pictures", `${name}-${screen}.png`];
      await expect.soft(page).toHaveScreenshot(picture, { maxDiffPixelRatio: 0.025, timeout: 20_000 });
    }
    await page.context().close();
  });

/** Of the matrix. */
const MATRIX_PAGES: typeof DOCS_PAGES = {
  inbox: async (page) => {
    await page.goto("/");
    // The seed's outage has an alert, which fires after half a minute, and stays.
    await expect(page.getByRole("link", { name: "View alert" })).toBeVisible({ timeout: 90_000 });
  },
  runs: async (page) => DOCS_PAGES.runs?.(page),
  run: async (page) => DOCS_PAGES.run?.(page),
  workflow: async (page) => {
    await page.goto("/workflows/order-fulfilment");
    await expect(page.getByRole("row", { name: /^charge-payment/ })).toBeVisible();
  },
  effects: async (page) => {
    await page.goto("/effects");
    await expect(page.getByRole("table", { name: "Effects" })).toBeVisible();
  },
  compensations: async (page) => DOCS_PAGES.compensations?.(page),
  problem: async (page) => DOCS_PAGES.problem?.(page),
  schedules: async (page) => {
    await page.goto("/schedules");
    await expect(page.getByRole("link", { name: "Nightly user sync" })).toBeVisible();
  },
  audit: async (page) => {
    await page.goto("/audit");
    await expect(page.getByText(/rows are intact/)).toBeVisible();
  },
  settings: async (page) => {
    await page.goto("/settings");
    await expect(page.getByText(/^None yet/)).toBeVisible();
    await expect(page.getByText(/this session/)).toBeVisible();
  },
};

const THEMES = {
  light: { colours: { colorScheme: "light" }, widths: [360, 768, 1024, 1440, 1920] },
  dark: { colours: { colorScheme: "dark" }, widths: [360, 1440] },
  forced: { colours: { colorScheme: "dark", forcedColors: "active" }, widths: [360, 1440] },
} as const;

/** Wide ones at half their size: that shows what moved, and the repository stays small. */
const SIZES = {
  360: PHONE,
  768: { viewport: { width: 768, height: 1024 }, deviceScaleFactor: 0.5 },
  1024: { viewport: { width: 1024, height: 768 }, deviceScaleFactor: 0.5 },
  1440: { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 0.5 },
  1920: { viewport: { width: 1920, height: 1080 }, deviceScaleFactor: 0.5 },
} as const;

const MATRIX = Object.entries(MATRIX_PAGES).flatMap(([name, open]) =>
  Object.entries(THEMES).flatMap(([theme, { colours, widths }]) =>
    widths.map((width) => ({
      open,
      screen: { ...colours, ...SIZES[width] },
      picture: ["e2e", "looks", "pictures", name, `${theme}-${width}.png`],
    })),
  ),
);

test("the main pages look as before in each theme at each width", async ({ browser }) => {
  const cases = oneIn(3, MATRIX);
  test.setTimeout(60_000 + cases.length * 10_000);
  for (const { open, screen, picture } of cases)
    await test.step(picture.slice(-2).join(" "), async () => {
      const page = await pageOn(browser, screen);
      await open(page);
      await holdSteady(page);
      await expect.soft(page).toHaveScreenshot(picture, { maxDiffPixelRatio: 0.01, scale: "device", timeout: 20_000 });
      await page.context().close();
    });
});
