import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import pg from "pg";
import { startOwnServer } from "../../../e2e/support/own-server";
import { poolDb } from "../../../lib/store/db";
import { migrate } from "../../../lib/store/migrations/migrate";
import { aLongRun } from "../../../lib/testing/rows/long-run";
import { startEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { findChromium } from "../../../scripts/test/chromium";
import { busy } from "./busy";

/*
 * The page of a run of 10,000 steps in 40 generations, in Chromium, on the production build: when it shows something, when all of
 * it is there, how even its frames are while it is scrolled and zoomed, and the longest task of all that.
 *
 *   node --import tsx proof/bench/console/timeline.ts
 */
const STEPS = 10_000;
const GENERATIONS = 40;
const OPENINGS = 3;
const SCROLL_FRAMES = 240;
const ZOOMS = 40;

const dir = await mkdtemp(path.join(tmpdir(), "handrail-timeline-"));
const postgres = await startEmbeddedPostgres({ dir });
const databaseUrl = postgres.url();
await migrate(databaseUrl);
const pool = new pg.Pool({ connectionString: databaseUrl });
const runId = await aLongRun(poolDb(pool), { steps: STEPS, generations: GENERATIONS });
await pool.query("analyze");
await pool.end();
const server = await startOwnServer({ DATABASE_URL: databaseUrl, HANDRAIL_SIGN_IN: "off" });
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"],
});
try {
  await server.said(/Handrail is running/);
  await open(browser); // compiles what the server runs
  const opened: Opening[] = [];
  for (let count = 0; count < OPENINGS; count++) opened.push(await open(browser));
  const opening = opened.sort((a, b) => a.allMs - b.allMs)[Math.floor(OPENINGS / 2)] as Opening;
  const [openingBusy = 0] = await openBusy(browser);
  const used = await use(browser);
  const lines: [string, string][] = [
    ["first paint", `${Math.round(opening.paintMs)} ms`],
    ["first rows", `${Math.round(opening.rowsMs)} ms`],
    [`all ${STEPS.toLocaleString("en")} steps`, `${Math.round(opening.allMs)} ms`],
    ["longest task while it opens", `${Math.round(opening.longestMs)} ms`],
    ["the same, by processor time", `${Math.round(openingBusy)} ms`],
    ["frames while it is scrolled: median, 95th, longest", used.scrolled],
    ["frames while it is zoomed: median, 95th, longest", used.zoomed],
    ["longest task while it is used", `${Math.round(used.longestMs)} ms`],
  ];
  for (const [what, figure] of lines) process.stdout.write(`${what}: ${figure}\n`);
} finally {
  await browser.close();
  await server.stop();
  await postgres.stop();
  await rm(dir, { recursive: true, force: true });
}
process.exit(0);

interface Opening {
  paintMs: number;
  rowsMs: number;
  allMs: number;
  longestMs: number;
}

/** With an empty browser cache. */
async function open(browser: Browser): Promise<Opening> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await opened(await context.newPage());
  const opening = await page.evaluate(() => ({
    paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    ...(globalThis as unknown as { seen: { rowsMs: number; allMs: number; longestMs: number } }).seen,
  }));
  await context.close();
  return opening;
}

async function openBusy(browser: Browser): Promise<number[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const tasks = await busy(browser, page, () => opened(page));
  await context.close();
  return tasks;
}

async function opened(page: Page, query = ""): Promise<Page> {
  await page.addInitScript(() => {
    const seen = { rowsMs: 0, allMs: 0, longestMs: 0 };
    (globalThis as unknown as { seen: typeof seen }).seen = seen;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longestMs = Math.max(seen.longestMs, duration);
    }).observe({ type: "longtask", buffered: true });
    // Not named: tsx would insert a call to its own helper, which no page has.
    setInterval(() => {
      const rows = document.querySelector("[data-index] button");
      if (rows && seen.rowsMs === 0) seen.rowsMs = performance.now();
      const count = document.querySelector("ul[aria-label^=Timeline]")?.getAttribute("aria-label") ?? "";
      if (count.includes("10,000") && seen.allMs === 0) seen.allMs = performance.now();
    }, 8);
  });
  await page.goto(`${server.url}/runs/${runId}${query}`);
  await page
    .getByRole("list", { name: `Timeline of ${STEPS.toLocaleString("en")} steps` })
    .waitFor({ timeout: 60_000 });
  // The frame after, and what it asks for.
  await page.waitForTimeout(500);
  return page;
}

/** All lanes and the longest loop open: as many rows as there can be. */
async function use(browser: Browser) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const closed = Array.from({ length: GENERATIONS - 2 }, (_, index) => index + 1).join(",");
  const page = await opened(await context.newPage(), `?lanes=${closed}&loops=1%20send-mail-%E2%80%A6`);
  await page.evaluate(() => {
    (globalThis as unknown as { seen: { longestMs: number } }).seen.longestMs = 0;
  });
  const scrolled = await page.evaluate(async (frames) => {
    const list = document.querySelector("ul[aria-label^=Timeline]") as HTMLElement;
    const scroller = list.closest(".xl\\:overflow-y-auto") as HTMLElement;
    const deltas: number[] = [];
    let last = performance.now();
    for (let frame = 0; frame < frames; frame++) {
      scroller.scrollTop += 400;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      deltas.push(now - last);
      last = now;
    }
    scroller.scrollTop = 0;
    return deltas;
  }, SCROLL_FRAMES);
  // Those at the top are drawn again: a zoom goes by the row beneath the pointer.
  await page.locator('[data-index="0"]').waitFor();
  const zoomed = await page.evaluate(async (zooms) => {
    const deltas: number[] = [];
    for (let zoom = 0; zoom < zooms; zoom++) {
      const track = document.querySelector("[data-track]") as HTMLElement;
      const { left, width, top } = track.getBoundingClientRect();
      const at = { clientX: left + width / 3, clientY: top, bubbles: true, cancelable: true };
      const before = performance.now();
      track.dispatchEvent(new WheelEvent("wheel", { ...at, ctrlKey: true, deltaY: zoom < zooms / 2 ? -60 : 60 }));
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      deltas.push((performance.now() - before) / 2);
    }
    return deltas;
  }, ZOOMS);
  const longestMs = await page.evaluate(
    () => (globalThis as unknown as { seen: { longestMs: number } }).seen.longestMs,
  );
  await context.close();
  return { scrolled: framesOf(scrolled), zoomed: framesOf(zoomed), longestMs };
}

function framesOf(deltas: number[]): string {
  const sorted = [...deltas].sort((a, b) => a - b);
  const at = (share: number) =>
    `${(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1)} ms`;
  return `${at(0.5)} · ${at(0.95)} · ${at(1)}`;
}
