import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poolDb } from "../../lib/store/db";
import type { TestDatabase } from "../../lib/testing/database/database";
import { aRun } from "../../lib/testing/rows/a-run";
import { createDatabase, type OwnServer as Postgres, startServer } from "../../proof/faults/rig";
import { freePort } from "../../scripts/ports";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { expectNoOverflow } from "../support/overflow";
import { type OwnServer, startOwnServer } from "../support/own-server";

/* Two consoles of one fleet, each with its own database: what one shows of both, does in both, and says when the other is gone. */

// That a cell does not answer is an error of its reads alone.
test.use({ person: null, expectedErrors: /503 .*\/api\/v1\/cells\/us\// });
test.describe.configure({ timeout: 240_000 });

type Name = "eu" | "us";
let folder: string;
let postgres: Postgres;
const databases = {} as Record<Name, TestDatabase>;
const consoles = {} as Record<Name, OwnServer>;
const runs = {} as Record<Name, { failed: string; unknown: string }>;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  folder = await mkdtemp(join(tmpdir(), "handrail-fleet-"));
  await chmod(folder, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  postgres = await startServer(join(folder, "postgres"));
  const ports: Record<Name, number> = { eu: await freePort(), us: await freePort() };
  const start = async (name: Name) => {
    const database = await createDatabase(postgres);
    databases[name] = database;
    const db = poolDb(database.pool);
    const order = { tags: { orderId: `${name}-17` } };
    runs[name] = {
      failed: await aRun(db, order).failedAt("charge-payment"),
      unknown: await aRun(db).waitingUnknown("charge-payment"),
    };
    consoles[name] = await startOwnServer({
      PORT: String(ports[name]),
      DATABASE_URL: database.url,
      HANDRAIL_CELL: name,
      HANDRAIL_CELLS: `eu=http://127.0.0.1:${ports.eu},us=http://127.0.0.1:${ports.us}`,
      HANDRAIL_FLEET_SECRET: "fleet-0123456789-abcdefghijklmnopqrst",
      HANDRAIL_LOG: "silent",
    });
    await consoles[name].said(/Handrail is running/);
  };
  await Promise.all([start("eu"), start("us")]);
});

test.afterAll(async () => {
  await Promise.all(Object.values(consoles).map((one) => one.stop()));
  await Promise.all(Object.values(databases).map((one) => one.drop()));
  await postgres?.remove();
  await rm(folder, { recursive: true, force: true });
});

test("one inbox, one search and one action over all cells, and a cell that is gone is named", async ({
  page,
  context,
}) => {
  await page.goto(consoles.eu.url);
  await page.getByRole("link", { name: "Fleet" }).click();
  const card = (name: string) =>
    page.locator("section").filter({ has: page.getByRole("heading", { name, exact: true }) });
  const item = (name: string, cell: Name) => card(name).getByRole("listitem").filter({ hasText: cell });

  await test.step("shows what needs attention in each", async () => {
    for (const cell of ["eu", "us"] as const) {
      await expect(item("Cells", cell)).toContainText("1 outcome unknown");
      await expect(item("Needs attention", cell).getByText("Outcome unknown")).toBeVisible();
      await expect(
        card("Runs")
          .getByRole("listitem")
          .filter({ hasText: `${cell}-17` }),
      ).toContainText("Failed");
    }
    await expectNoAxeViolations(page);
    const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 360, height: 780 });
    await expectNoOverflow(page);
    await page.setViewportSize({ width, height });
  });

  await test.step("finds a run by its key and by its id of the fleet, and opens it where it is", async () => {
    const search = page.getByRole("searchbox", { name: "Filter the runs of all cells" });
    await search.fill("us-17");
    await expect(card("Runs").getByRole("listitem")).toHaveCount(1);
    await search.fill(`us.${runs.us.failed}`);
    const [link] = [card("Runs").getByRole("link")];
    await expect(link).toHaveCount(1);
    const opened = context.waitForEvent("page");
    await link.click();
    const there = await opened;
    await expect(there).toHaveURL(`${consoles.us.url}/runs/${runs.us.failed}`);
    await there.close();
    await page.goto(`${consoles.eu.url}/runs/us.${runs.us.failed}`);
    await expect(page).toHaveURL(`${consoles.us.url}/runs/${runs.us.failed}`);
  });

  await test.step("reruns in both, and tells it as one", async () => {
    await page.goto(`${consoles.eu.url}/fleet?q=status:failed`);
    await page.getByRole("button", { name: "Bulk action…" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("listitem")).toHaveCount(2);
    await dialog.getByLabel(/^Reason/).fill("the gateway is back");
    await dialog.getByRole("button", { name: "Rerun 2 runs in 2 cells" }).click();
    await expect(dialog.getByRole("status")).toHaveText("Done: 2 of 2 runs.");
    await dialog.getByRole("button", { name: "Close" }).first().click();
    for (const cell of ["eu", "us"] as const) {
      const { rows } = await databases[cell].pool.query(
        "select actor, reason from handrail.audit where run_id = $1 and act = 'rerun'",
        [runs[cell].failed],
      );
      expect(rows).toEqual([{ actor: "operator", reason: "the gateway is back" }]);
    }
  });

  await test.step("says which cell is gone, shows the other, and both when it is back", async () => {
    const giveBack = consoles.us.takeAway("console");
    await page.goto(`${consoles.eu.url}/fleet`);
    await expect(item("Cells", "us")).toContainText("Does not answer");
    await expect(card("Needs attention").getByText("Without us")).toBeVisible();
    await expect(item("Needs attention", "eu").getByText("Outcome unknown")).toBeVisible();
    await expect(card("Runs").getByText("Without us")).toBeVisible();
    giveBack();
    await expect(item("Cells", "us")).toContainText("No live worker", { timeout: 60_000 });
    await expect(item("Needs attention", "us").getByText("Outcome unknown")).toBeVisible();
  });
});
