import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { defineWorkflow } from "../../lib/engine/workflows/workflow";
import { createHandrail, type Handrail } from "../../lib/library/create-handrail";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { expectNoOverflow } from "../support/overflow";
import { type OwnServer, startOwnServer } from "../support/own-server";
import { serverEnvironment } from "../support/server";

/* A console without the demo, on a database without a run: a worker registers, and the first run is started here. */

const hello = defineWorkflow(
  { name: "hello", title: "Hello", input: z.object({ name: z.string().min(1) }), tags: ({ name }) => ({ name }) },
  async (ctx, { name }) => ctx.step("greet", () => `Hello ${name}`),
);

test.use({ person: null });

let postgres: EmbeddedPostgres;
let server: OwnServer;
let app: Handrail<unknown> | undefined;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  const environment = await serverEnvironment();
  postgres = await startEmbeddedPostgres({ dir: join(environment.HANDRAIL_DATA, "postgres") });
  const databaseUrl = postgres.url(`first_${randomUUID().slice(0, 8)}`);
  server = await startOwnServer({ DATABASE_URL: databaseUrl });
  await server.said(/Handrail is running/);
  app = createHandrail({ workflows: [hello], databaseUrl }) as Handrail<unknown>;
});

test.afterAll(async () => {
  await app?.close();
  await server?.stop();
  await postgres?.stop();
});

test("an empty installation leads from its first worker to its first run", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(server.url);
  const steps = page.getByRole("region", { name: "Your first run" });
  await expect(steps.getByText("Connect a worker")).toBeVisible();
  await expect(steps.getByText("Give it a workflow")).toBeVisible();
  await steps.getByRole("button", { name: "Copy the command npx handrail dev" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("npx handrail dev");
  await expectNoAxeViolations(page);
  await page.goto(`${server.url}/effects`);
  await expect(page.getByText("No effects yet")).toBeVisible();
  await page.goto(server.url);

  // Nothing is pressed: the pages follow.
  await app?.worker().start();
  await expect(steps.getByText("1 worker is connected")).toBeVisible();
  await expect(steps.getByText("It has Hello")).toBeVisible();
  await expectNoAxeViolations(page);

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${server.url}/runs`);
  await expect(steps.getByText(/^npx handrail runs start hello --input '\{"name":/)).toBeVisible();
  await expectNoOverflow(page);
  await steps.getByRole("button", { name: "Start Hello…" }).click();
  const dialog = page.getByRole("dialog", { name: "Start a run" });
  await dialog.getByRole("textbox", { name: "name" }).fill("Ada");
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  await expect(
    page
      .getByRole("main")
      .getByRole("status")
      .filter({ hasText: /^Completed$/ }),
  ).toBeVisible();
});
