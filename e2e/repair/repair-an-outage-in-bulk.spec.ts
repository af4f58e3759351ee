import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import type { OperationListResponse } from "../../lib/api/contract/operations";
import type { OverviewResponse, RunCountsResponse } from "../../lib/api/contract/responses";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { mend, setFault } from "../support/faults";
import { type BookedCharge, sandboxUrl } from "../support/ledger";
import { freshId } from "../support/orders";
import { type OwnServer, startOwnServer } from "../support/own-server";
import { reasonIn } from "../support/screen";
import { serverEnvironment } from "../support/server";

/*
 * The payment provider was down, and 500 orders failed. The operator on call repairs them from the Overview, in few
 * clicks; meanwhile worker, console and launcher are killed at once. By the gateway's own ledger each order is charged
 * once, and the report says so. Runs on a separate database with separate processes, because it kills them.
 */

const RUNS = 500;
const CLICKS_AT_MOST = 5;
const environment = await serverEnvironment();
const MINUTE_MS = 60_000;

let postgres: EmbeddedPostgres;
let server: OwnServer;
/** The first characters of its orders: the gateway is everybody's. */
const batch = freshId("bulk");

test.describe.configure({ timeout: 5 * MINUTE_MS });

test.beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dir: join(environment.HANDRAIL_DATA, "postgres") });
  server = await startOwnServer({
    DATABASE_URL: postgres.url(batch),
    HANDRAIL_SANDBOX_PORT: environment.HANDRAIL_SANDBOX_PORT,
    HANDRAIL_SMTP_PORT: environment.HANDRAIL_SMTP_PORT,
    HANDRAIL_DEMO: "on",
    HANDRAIL_WORKER: "on",
    HANDRAIL_LOG: "warn",
  });
  await server.said(/Handrail is running/);
});

test.afterAll(async () => {
  await server?.stop();
  await postgres?.stop();
  await mend("payments");
});

// While nothing answers, the browser says so.
test.use({ expectedErrors: /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED/ });

async function ask<Answer>(method: "GET" | "POST", path: string, body?: unknown): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function countOf(what: "failed" | "completed" | "outcome_unknown"): Promise<number> {
  const { byStatus, byAttention } = await ask<RunCountsResponse>("GET", "/runs/counts");
  return what === "outcome_unknown" ? byAttention[what] : byStatus[what];
}

async function anOutage(): Promise<void> {
  await setFault("payments", { mode: "down" });
  const runs = Array.from({ length: RUNS }, (_, n) => ({
    input: { orderId: `${batch}-${n}`, amountCents: 4_900, email: `${batch}-${n}@shop.example` },
  }));
  for (let at = 0; at < RUNS; at += 100)
    await ask("POST", "/runs/batch", { workflow: "order-fulfilment", runs: runs.slice(at, at + 100) });
  await expect.poll(() => countOf("failed"), { timeout: 2 * MINUTE_MS, intervals: [500] }).toBe(RUNS);
  await expect.poll(heldByTheProblem, { timeout: MINUTE_MS, intervals: [200] }).toBe(RUNS);
  await mend("payments");
}

const heldByTheProblem = async () =>
  (await ask<OverviewResponse>("GET", "/overview")).problems.holding[0]?.openRuns ?? 0;

const doneSoFar = async () => (await ask<OperationListResponse>("GET", "/operations")).operations[0]?.counts.done ?? 0;

const charges = async () => {
  const ledger = (await (await fetch(`${sandboxUrl}/payments/ledger`)).json()) as { charges: BookedCharge[] };
  return ledger.charges.filter(({ orderId }) => orderId.startsWith(`${batch}-`));
};

async function report(page: Page, download: Promise<void>): Promise<Record<string, unknown>[]> {
  const downloading = page.waitForEvent("download");
  await download;
  const text = await readFile(await (await downloading).path(), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("500 orders that failed in an outage are rerun in few clicks and charged once each, although everything is killed in the middle", async ({
  page,
}) => {
  await anOutage();
  expect(await charges()).toEqual([]);
  let clicks = 0;
  const click = (what: Locator) => {
    clicks++;
    return what.click();
  };

  await page.goto(server.url);
  await click(page.getByRole("button", { name: /^Rerun \d+ runs…$/ }));
  const dialog = page.getByRole("dialog", { name: `Rerun ${RUNS} runs` });
  await expect(dialog).toContainText(
    `${RUNS} runs; ${RUNS} rerun from charge-payment, earlier results kept; idempotency keys are kept.`,
  );
  await expect(reasonIn(dialog)).toBeFocused();
  await page.keyboard.type("The gateway is back");
  await click(dialog.getByText(/then 20\/s\. Pauses automatically/));
  await dialog.getByRole("textbox", { name: "Runs per second" }).fill("60");
  await expectNoAxeViolations(page);
  await click(dialog.getByRole("button", { name: `Rerun ${RUNS} runs` }));
  await expect(page.getByRole("heading", { level: 1, name: `Rerun ${RUNS} runs` })).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Progress" })).toBeVisible();

  await expect.poll(doneSoFar, { timeout: MINUTE_MS, intervals: [100] }).toBeGreaterThan(RUNS / 5);
  await server.killAndRestart();
  await server.said(/Handrail is running/);
  expect(await doneSoFar()).toBeLessThan(RUNS);

  await expect(page.getByRole("main").getByRole("status").filter({ hasText: "Completed" })).toBeVisible({
    timeout: MINUTE_MS,
  });
  const standing = page.getByRole("list", { name: "Current run status" });
  await expect(standing).not.toContainText("In progress", { timeout: MINUTE_MS });
  // A mail has no key: those in flight when their worker was killed are resolved by an operator, and nothing is sent
  // twice.
  const inDoubt = await countOf("outcome_unknown");
  expect(await countOf("completed")).toBe(RUNS - inDoubt);
  await expect(standing.getByRole("listitem").first()).toHaveText(`Completed${RUNS - inDoubt}`);
  const proof = page.getByRole("table", { name: `Effects of ${RUNS} repaired runs, by step` });
  await expect(proof.getByRole("row", { name: "charge-payment" }).getByRole("cell")).toHaveText([
    String(RUNS),
    String(RUNS),
    "0",
    "0",
  ]);
  await expectNoAxeViolations(page);

  const lines = await report(page, click(page.getByRole("link", { name: "NDJSON" })));
  expect(clicks).toBeLessThanOrEqual(CLICKS_AT_MOST);

  const booked = await charges();
  expect(booked).toHaveLength(RUNS);
  expect(new Set(booked.map(({ orderId }) => orderId)).size).toBe(RUNS);
  const reported = lines.filter(({ row, step }) => row === "effect" && step === "charge-payment");
  expect(reported.map(({ reference }) => reference).sort()).toEqual(booked.map(({ id }) => id).sort());
  expect(new Set(reported.map(({ idempotencyKey }) => idempotencyKey))).toEqual(
    new Set(booked.map(({ idempotencyKey }) => idempotencyKey)),
  );
  expect(
    lines.filter(
      ({ row, step, verdict }) => row === "effect" && step === "send-confirmation" && verdict === "maybe_twice",
    ),
  ).toEqual([]);
  expect(reported.filter(({ verdict }) => verdict === "maybe_twice" || verdict === "unknown")).toEqual([]);
  expect(lines.filter(({ row, itemOutcome }) => row === "item" && itemOutcome === "done")).toHaveLength(RUNS);
});
