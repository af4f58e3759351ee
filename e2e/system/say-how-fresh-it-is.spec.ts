import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { z } from "zod";
import { defineWorkflow } from "../../lib/engine/workflows/workflow";
import { createHandrail } from "../../lib/library/create-handrail";
import { hangServer } from "../../lib/testing/database/hang-server";
import { findOrCreateCluster } from "../../scripts/postgres/cluster";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { runningServer } from "../../scripts/postgres/server";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { type OwnServer, startOwnServer } from "../support/own-server";
import { reasonIn } from "../support/screen";

/*
 * What the console says while its database is frozen, its own process is gone, or no worker lives: at once on every page and amid an
 * open dialog, of when the data is, and nothing that needs a reload. On a database and with processes of its own.
 */

const refused = defineWorkflow(
  { name: "refused", title: "Refused", input: z.object({ key: z.string() }), tags: ({ key }) => ({ key }) },
  async (ctx) => {
    await ctx.step("ask", () => Promise.reject(new Error("refused")), { retry: { maxAttempts: 1 } });
  },
);

test.use({ person: null, expectedErrors: /net::ERR_|503 \(Service Unavailable\)/ });
test.describe.configure({ mode: "serial", timeout: 240_000 });
test.skip(process.platform !== "linux", "what is frozen here is found through /proc");

const dir = mkdtempSync(join(tmpdir(), "handrail-truth-"));
let postgres: EmbeddedPostgres;
let server: OwnServer;
let runId: string;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  chmodSync(dir, 0o755);
  postgres = await startEmbeddedPostgres({ dir });
  const databaseUrl = postgres.url("truth");
  server = await startOwnServer({ DATABASE_URL: databaseUrl, HANDRAIL_WORKER: "on", HANDRAIL_LOG: "silent" });
  await server.said(/Handrail is running/);
  const app = createHandrail({ workflows: [refused], databaseUrl });
  await app.worker().start();
  const run = await app.start(refused, { key: "A-1" });
  await run.result({ timeoutMs: 60_000 }).catch(() => undefined);
  runId = run.id;
  await app.close();
});

test.afterAll(async () => {
  await server?.stop();
  await postgres?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Not by its role, which what is behind an open dialog has not. */
const bar = (page: Page, text: RegExp) => page.locator("[role=status]").filter({ hasText: text }).first();
const DATABASE = /The database has not answered since \d\d:\d\d:\d\d\..*What you see is of \d\d:\d\d:\d\d\./;
const CONSOLE = /The console has not answered since \d\d:\d\d:\d\d\..*What you see is of \d\d:\d\d:\d\d\./;
const WORKER = /No worker is live\./;

interface Pages {
  overview: Page;
  runs: Page;
  run: Page;
  /** With an open dialog, and a reason that is typed already. */
  acting: Page;
  /** React's errors, of all of them. */
  crashes: string[];
  close(): Promise<void>;
}

const REASON = "The other side is back";

/** Each in a browser of its own: six connections to a host are for all tabs of one. */
async function openPages(browser: Browser): Promise<Pages> {
  const crashes: string[] = [];
  const contexts = await Promise.all(Array.from({ length: 4 }, () => browser.newContext({ locale: "en-GB" })));
  const pages = await Promise.all(
    contexts.map(async (context) => {
      const page = await context.newPage();
      page.on("pageerror", (error) => crashes.push(error.message));
      return page;
    }),
  );
  const [overview, runs, run, acting] = pages as [Page, Page, Page, Page];
  await overview.goto(server.url);
  await runs.goto(`${server.url}/runs`);
  await run.goto(`${server.url}/runs/${runId}`);
  await acting.goto(`${server.url}/runs/${runId}`);
  await acting.getByRole("button", { name: "Rerun from ask…" }).click();
  await reasonIn(acting.getByRole("dialog")).fill(REASON);
  await expect(acting.getByRole("dialog").getByText(/1 step again/)).toBeVisible();
  for (const page of [overview, runs, run]) await expect(page.getByText("Live", { exact: true })).toBeVisible();
  const close = async () => void (await Promise.all(contexts.map((context) => context.close())));
  return { overview, runs, run, acting, crashes, close };
}

const all = ({ overview, runs, run, acting }: Pages) => [overview, runs, run, acting];

/** The last good data stays. */
async function expectDataKept({ overview, runs, run, acting }: Pages): Promise<void> {
  await expect(overview.getByRole("heading", { name: "Needs attention" })).toBeVisible();
  await expect(runs.getByRole("row").filter({ hasText: "A-1" })).toBeVisible();
  await expect(run.getByRole("heading", { level: 1 })).toContainText("refused");
  await expect(reasonIn(acting.getByRole("dialog"))).toHaveValue(REASON);
}

async function expectNotSent(acting: Page, why: RegExp): Promise<void> {
  const dialog = acting.getByRole("dialog");
  await expect(dialog.getByText(why).first()).toBeVisible();
  await dialog.getByRole("button", { name: /^Rerun/ }).click();
  await expect(dialog.getByRole("alert")).toContainText("Not sent:");
}

test("a frozen database is named on every page, nothing is sent, and all goes on by itself when it thaws", async ({
  browser,
}) => {
  const pages = await openPages(browser);
  const running = await runningServer(await findOrCreateCluster(dir, {}));
  const thaw = await hangServer(running?.pid as number);
  try {
    for (const page of all(pages)) await expect(bar(page, DATABASE)).toBeVisible({ timeout: 30_000 });
    await expectDataKept(pages);
    await expectNotSent(pages.acting, /The database has not answered/);
    // The probe of a load balancer is answered, and not by a statement that times out.
    const ready = await fetch(`${server.url}/api/health/ready`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining("does not answer within")]);
    // Both ways to a page: within the console, and its address.
    await pages.runs.getByRole("link", { name: "System" }).first().click();
    await expect(pages.runs).toHaveURL(`${server.url}/workers`);
    await expect(pages.runs.getByRole("main")).toContainText("will be shown here as soon as there is an answer");
    await pages.overview.reload();
    await expect(bar(pages.overview, /The database has not answered/)).toBeVisible({ timeout: 30_000 });
    await expect(pages.overview.getByRole("main")).toContainText("will be shown here as soon as there is an answer");
    await expectNoAxeViolations(pages.overview);
    await expectNoAxeViolations(pages.acting);
  } finally {
    thaw();
  }
  await expect(pages.runs.getByRole("heading", { name: "Active", exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(pages.overview.getByRole("heading", { name: "Needs attention" })).toBeVisible({ timeout: 30_000 });
  for (const page of all(pages)) await expect(bar(page, DATABASE)).toBeHidden({ timeout: 30_000 });
  const dialog = pages.acting.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toBeHidden();
  await expect(reasonIn(dialog)).toHaveValue(REASON);
  await dialog.getByRole("button", { name: /^Rerun/ }).click();
  await expect(dialog).toBeHidden();
  expect(pages.crashes).toEqual([]);
  await pages.close();
});

test("a console that is gone is named, and a link that is followed meanwhile arrives when it is back", async ({
  browser,
}) => {
  await refusedAgain();
  const pages = await openPages(browser);
  const bringBack = server.takeAway("console");
  try {
    for (const page of all(pages)) await expect(bar(page, CONSOLE)).toBeVisible({ timeout: 60_000 });
    await expectDataKept(pages);
    await expectNotSent(pages.acting, /The console has not answered/);
    await pages.run.getByRole("link", { name: "System" }).first().click();
    await expect(bar(pages.run, CONSOLE)).toBeVisible();
  } finally {
    bringBack();
  }
  await expect(pages.run).toHaveURL(`${server.url}/workers`, { timeout: 60_000 });
  await expect(pages.run.getByRole("heading", { name: "Active", exact: true })).toBeVisible({ timeout: 60_000 });
  for (const page of all(pages)) await expect(bar(page, CONSOLE)).toBeHidden({ timeout: 60_000 });
  await expect(reasonIn(pages.acting.getByRole("dialog"))).toHaveValue(REASON);
  expect(pages.crashes).toEqual([]);
  await pages.close();
});

/** The rerun of the test before waits for a worker that has its workflow. */
async function refusedAgain(): Promise<void> {
  const app = createHandrail({ workflows: [refused], databaseUrl: postgres.url("truth") });
  await app.worker().start();
  await app
    .run(runId)
    .result({ timeoutMs: 60_000 })
    .catch(() => undefined);
  await app.close();
}

test("without a worker every page says so, until one lives", async ({ browser }) => {
  const pages = await openPages(browser);
  const bringBack = server.takeAway("worker");
  try {
    for (const page of all(pages)) await expect(bar(page, WORKER)).toBeVisible({ timeout: 60_000 });
    await expectDataKept(pages);
  } finally {
    bringBack();
  }
  for (const page of all(pages)) await expect(bar(page, WORKER)).toBeHidden({ timeout: 60_000 });
  await expect(pages.run.getByText("Live", { exact: true })).toBeVisible();
  expect(pages.crashes).toEqual([]);
  await pages.close();
});
