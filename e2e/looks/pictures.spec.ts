import { expect, type Page, test } from "@playwright/test";
import { freePort } from "../../scripts/ports";
import { type OwnServer, startOwnServer } from "../support/own-server";

/**
 * The main pages on the demo as it is seeded, before anybody has touched it, beside the pictures in docs/pictures, which the docs
 * show. After a change of looks: `npx playwright test pictures --project beside --no-deps --update-snapshots`, and look at them.
 */
test.describe.configure({ mode: "serial" });

let server: OwnServer;
let cookie: string;

/** The seed is complete when this order's answer is lost and nothing is in progress any more. */
const UNKNOWN_ORDER = "A-20409";

test.beforeAll(async () => {
  test.setTimeout(180_000);
  const [sandbox, smtp] = await Promise.all([freePort(), freePort()]);
  const ports = { HANDRAIL_SANDBOX_PORT: String(sandbox), HANDRAIL_SMTP_PORT: String(smtp) };
  server = await startOwnServer({ ...ports, HANDRAIL_WORKER: "on" }, "demo");
  await server.said(/Handrail is running/);
  cookie = await beTheOperator();
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
const PAGES: Record<string, (page: Page) => Promise<void>> = {
  overview: async (page) => {
    await page.goto(server.url);
    await expect(page.getByRole("button", { name: "Rerun 27 runs" })).toBeVisible();
  },
  runs: async (page) => {
    await page.goto(`${server.url}/runs`);
    await expect(page.getByText("A-20433")).toBeVisible();
  },
  run: async (page) => {
    await page.goto(`${server.url}/runs/${(await orderRun()).id}`);
    await expect(page.getByText("charge-payment").filter({ visible: true }).first()).toBeVisible();
  },
  problem: async (page) => {
    await page.goto(`${server.url}/problems`);
    await page.getByRole("link", { name: /^ServiceUnavailable at charge-payment/ }).click();
    await page.getByRole("link", { name: "Open", exact: true }).click();
    await expect(page.getByRole("heading", { name: /charge-payment/, level: 1 })).toBeVisible();
  },
  compensations: async (page) => {
    await page.goto(`${server.url}/compensations`);
    await expect(page.getByText("Compensation failed", { exact: true })).toBeVisible();
  },
  workflows: async (page) => {
    await page.goto(`${server.url}/workflows`);
    await expect(page.getByText("Order fulfilment").first()).toBeVisible();
  },
  design: async (page) => {
    await page.goto(`${server.url}/design`);
    await expect(page.getByText("Tokens").first()).toBeVisible();
  },
};

const SCREENS = {
  light: { colorScheme: "light", viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: "dark", viewport: { width: 1440, height: 900 } },
  phone: { colorScheme: "light", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
} as const;

/** Of the run, on the pictures. */
const AGE_MS = 31_000;

const ON_THE_PHONE = ["overview", "run"];

for (const [screen, options] of Object.entries(SCREENS))
  test(`${screen}: the main pages look as in the docs`, async ({ browser }) => {
    const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
    await context.addCookies([{ name: "handrail", value: cookie, url: server.url }]);
    const page = await context.newPage();
    // However long this machine took until here: a longer time may need a line more.
    await page.clock.setFixedTime(new Date(Date.parse((await orderRun()).startedAt) + AGE_MS));
    for (const [name, open] of Object.entries(PAGES)) {
      if (screen === "phone" && !ON_THE_PHONE.includes(name)) continue;
      await open(page);
      // Soft, so that one run reports every page. Clocks go on and ids are new: some hundred characters may differ, and
      // no more.
      await expect.soft(page).toHaveScreenshot(`${name}-${screen}.png`, { maxDiffPixelRatio: 0.025, timeout: 20_000 });
    }
    await context.close();
  });
