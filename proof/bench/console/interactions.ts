import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "@playwright/test";
import pg from "pg";
import { startOwnServer } from "../../../e2e/support/own-server";
import { poolDb } from "../../../lib/store/db";
import { migrate } from "../../../lib/store/migrations/migrate";
import { startEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { findChromium } from "../../../scripts/test/chromium";
import { busy } from "./busy";
import { type Felt, feel, felt, inpOf } from "./felt";
import { fill } from "./fill";

/*
 * How the pages answer in Chromium, on the production build, beside 100,000 runs, while a worker ends a step of each of 500 runs
 * every second: interaction to next paint, and the tasks that keep the page busy, by the clock and by the processor's time.
 *
 *   node --import tsx proof/bench/console/interactions.ts
 */
const RUNS = Number(process.env.BENCH_CONSOLE_RUNS ?? 100_000);
const CHANGING = Number(process.env.BENCH_CONSOLE_CHANGING ?? 500);
/** The pages to look at, when not all. */
const ASKED = new RegExp(process.env.BENCH_CONSOLE_PAGES ?? "");
/** Pause between the actions of a fast user. */
const BETWEEN_MS = 120;
const SETTLE_MS = 3_000;

const dir = await mkdtemp(path.join(tmpdir(), "handrail-interactions-"));
const postgres = await startEmbeddedPostgres({ dir });
const databaseUrl = postgres.url();
await migrate(databaseUrl);
const pool = new pg.Pool({ connectionString: databaseUrl });
const client = await pool.connect();
await fill(client, poolDb(pool), { runs: RUNS });
client.release(true);
const server = await startOwnServer({ DATABASE_URL: databaseUrl, HANDRAIL_SIGN_IN: "off" });
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"],
});
const worker = fork(fileURLToPath(new URL("ticking.ts", import.meta.url)), [databaseUrl, `${CHANGING}`]);
try {
  await server.said(/Handrail is running/);
  await once(worker, "message");
  const { rows } = await pool.query("select id from handrail.run where workflow = 'ticking' order by id limit 1");
  const visits = Object.entries(visitsOf(rows[0].id)).filter(([name]) => ASKED.test(name));
  for (const [, visit] of visits) await look(browser, { ...visit, act: async () => undefined }); // what the server runs is compiled
  for (const [name, visit] of visits) tell(name, await look(browser, visit));
} finally {
  await browser.close();
  worker.kill();
  await pool.end();
  await server.stop();
  await postgres.stop();
  await rm(dir, { recursive: true, force: true });
}
process.exit(0);

interface Visit {
  path: string;
  act: (page: Page) => Promise<void>;
}

/** The pages, and what a user does on each. */
function visitsOf(runId: string): Record<string, Visit> {
  return {
    "Runs, unfiltered": { path: "/runs", act: useRuns },
    "Runs, those that change": { path: "/runs?workflow=ticking", act: useRuns },
    "A run that changes": { path: `/runs/${runId}`, act: useRun },
    Overview: { path: "/", act: useOverview },
  };
}

async function useRuns(page: Page): Promise<void> {
  const press = presser(page);
  await press(...Array(25).fill("j"), ...Array(10).fill("k"));
  await press("x", "j", "x", "Escape", "Escape");
  await page
    .getByRole("row")
    .nth(6)
    .click({ position: { x: 300, y: 12 } });
  await press("j", "j", "Escape");
  await press("/", ..."status:running ", ..."order-1", ...Array(8).fill("Backspace"), "Backspace", "Escape");
  await page.getByRole("button", { name: /^Order:/ }).click();
  await press("ArrowDown", "Enter");
  await page.getByRole("button", { name: "Started" }).click();
  await press("Escape");
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await press(..."vers", "Escape", "Escape");
  await press("j", "x");
  await page.getByRole("button", { name: "Pause…" }).click();
  await press("Escape");
}

async function useRun(page: Page): Promise<void> {
  const press = presser(page);
  const steps = page.getByRole("list", { name: /^Timeline of/ }).getByRole("button");
  for (const at of [0, 2, 4, 1]) {
    await steps.nth(at).click();
    await page.waitForTimeout(BETWEEN_MS);
  }
  await press(...Array(8).fill("ArrowDown"), "Escape");
  for (const name of ["Graph", "Effects", "Logs", /^Audit/, "Raw", "Timeline"]) {
    await page.getByRole("tab", { name }).click();
    await page.waitForTimeout(4 * BETWEEN_MS);
  }
  await page.getByRole("button", { name: /^(More actions|Actions)$/ }).click();
  await press("ArrowDown", "ArrowDown", "Escape");
  await page.getByRole("button", { name: "Copy as" }).click();
  await press("ArrowDown", "Escape");
}

async function useOverview(page: Page): Promise<void> {
  const press = presser(page);
  for (const name of ["6 h", "24 h", "1 h"]) {
    await page.getByRole("radio", { name, exact: true }).click();
    await page.waitForTimeout(4 * BETWEEN_MS);
  }
  await press("ControlOrMeta+k", ..."fulfilment", "ArrowDown", "ArrowDown", "Escape");
  await press("?", "Escape");
}

function presser(page: Page) {
  return async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key === " " ? "Space" : key);
      await page.waitForTimeout(BETWEEN_MS);
    }
  };
}

interface Looked extends Felt {
  changesPerSecond: number;
  opening: number;
  /** The same by processor time. */
  openingBusy: number;
}

async function look(browser: Browser, { path: where, act }: Visit): Promise<Looked> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await feel(page);
  const [openingBusy = 0] = await busy(browser, page, async () => {
    await page.goto(`${server.url}${where}`);
    await page.getByRole("main").waitFor();
    await page.waitForTimeout(SETTLE_MS);
  });
  const opening = (await felt(page)).tasks[0]?.ms ?? 0;
  const since = await changed();
  await act(page);
  await page.waitForTimeout(BETWEEN_MS);
  const until = await changed();
  const looked = await felt(page);
  await context.close();
  return {
    ...looked,
    opening,
    openingBusy,
    changesPerSecond: ((until.ended - since.ended) / (until.at - since.at)) * 1_000,
  };
}

async function changed(): Promise<{ at: number; ended: number }> {
  worker.send("how many");
  const [told] = await once(worker, "message");
  return told as { at: number; ended: number };
}

function tell(name: string, looked: Looked): void {
  const { interactions, tasks, changesPerSecond, opening, openingBusy } = looked;
  const slow = tasks.filter(({ ms }) => ms > 100);
  const lines = [
    `${name}: INP ${inpOf(looked)} ms of ${interactions.length} interactions that took 16 ms or more, longest task ${Math.round(tasks[0]?.ms ?? 0)} ms, ` +
      `${slow.length} of more than 100 ms; ${Math.round(opening)} ms while it opens, ${Math.round(openingBusy)} of them the processor's; ${Math.round(changesPerSecond)} changes a second`,
    ...interactions.slice(0, 4).map(({ ms, what }) => `  ${ms} ms  ${what}`),
    ...tasks.slice(0, 4).map(({ ms, of }) => `  task of ${Math.round(ms)} ms  ${of}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}
