import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { AGE_HEADER } from "../../lib/engine/wal-position";
import { poolDb } from "../../lib/store/db";
import { aRun } from "../../lib/testing/rows/a-run";
import { type Pair, startPair } from "../../proof/faults/standby";
import { expect, test } from "../support/console-errors";
import { type OwnServer, startOwnServer } from "../support/own-server";
import { carryOut, chooseAct, expectStatus } from "../support/screen";

/* A console that reads from a standby whose replay is paused: on a primary, a standby and with processes of its own. */

test.use({ person: null });
test.describe.configure({ timeout: 240_000 });

let folder: string;
let pair: Pair;
let server: OwnServer;
let beats: NodeJS.Timeout;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  folder = await mkdtemp(join(tmpdir(), "handrail-standby-"));
  await chmod(folder, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  pair = await startPair(folder, { synchronous: false });
  await pair.database.pool.query("create table public.beat as select now() as at");
  // As a worker's heartbeats do: without commits, a standby cannot say how old it is.
  const beat = () => pair.database.pool.query("update public.beat set at = now()").catch(() => null);
  beats = setInterval(beat, 200);
  server = await startOwnServer({
    DATABASE_URL: pair.database.url,
    DATABASE_READ_URL: pair.standby.url,
    HANDRAIL_READ_MAX_LAG_MS: "600000",
    HANDRAIL_LOG: "silent",
  });
  await server.said(/Handrail is running/);
});

test.afterAll(async () => {
  clearInterval(beats);
  await server?.stop();
  await pair?.database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** With what this browser has done and seen. */
const isReadThere = async (page: Page) =>
  (await page.request.get(`${server.url}/api/v1/runs`)).headers()[AGE_HEADER] !== undefined;

const row = (page: Page, orderId: string) => page.getByRole("row").filter({ hasText: orderId });

/** By how many seconds the data is older than now, as the page's head says it. */
async function shownAge(page: Page): Promise<number> {
  const said = await page.getByText(/^· updated \d\d:\d\d:\d\d/).textContent();
  const [, hours, minutes, seconds] = /(\d\d):(\d\d):(\d\d)/.exec(said as string) as unknown as string[];
  const now = await page.evaluate(() => {
    const at = new Date();
    return at.getHours() * 3_600 + at.getMinutes() * 60 + at.getSeconds();
  });
  return (now - (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) + 86_400) % 86_400;
}

test("while the standby shows nothing new, the page says how old it is, and an operator's own action is there at once", async ({
  page,
}) => {
  const db = poolDb(pair.database.pool);
  const runId = await aRun(db, { tags: { orderId: "own" } }).pending();
  await expect.poll(() => pair.hasCaughtUp()).toBe(true);
  await expect.poll(() => isReadThere(page)).toBe(true);

  await pair.standby.pauseReplay();
  await aRun(db, { tags: { orderId: "later" } }).pending();
  await page.waitForTimeout(4_000);
  await page.goto(`${server.url}/runs`);
  await expect(row(page, "own")).toContainText("Pending");
  await expect(row(page, "later")).toHaveCount(0);
  await expect.poll(() => shownAge(page)).toBeGreaterThanOrEqual(3);

  await page.goto(`${server.url}/runs/${runId}`);
  await expectStatus(page, "Pending");
  await chooseAct(page, "Cancel the run…");
  await carryOut(page.getByRole("dialog", { name: "Cancel this run" }), "Cancel the run", "Ordered twice by mistake");
  await expectStatus(page, "Cancelled");
  await page.reload();
  await expectStatus(page, "Cancelled");
  await page.goto(`${server.url}/runs`);
  await expect(row(page, "own")).toContainText("Cancelled");
  await expect(row(page, "later")).toContainText("Pending");
  await expect.poll(() => shownAge(page)).toBeLessThan(3);
  expect(await isReadThere(page)).toBe(false);

  await pair.standby.resumeReplay();
  await expect.poll(() => isReadThere(page)).toBe(true);
  await page.reload();
  await expect(row(page, "own")).toContainText("Cancelled");
  await expect(row(page, "later")).toContainText("Pending");
});
