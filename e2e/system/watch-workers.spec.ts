import type { Page } from "@playwright/test";
import { handrail } from "../support/api";
import { expect, test } from "../support/console-errors";
import { type LaunchedWorker, launchWorker } from "../support/worker";

/** Distinguishes our worker from the demo's. */
const CONCURRENCY = 3;

let launched: LaunchedWorker | undefined;

test.afterEach(() => launched?.stop());

test("a second worker is seen as live; one without heartbeats is lost, one that says goodbye is stopped", async ({
  page,
}) => {
  await page.goto("/workers");
  const live = workersUnder(page, "Active");
  await expect(live).toHaveCount(1);
  await expect(live).toContainText("order-fulfilment");

  launched = launchWorker({ concurrency: CONCURRENCY });
  const ours = live.filter({ hasText: `of ${CONCURRENCY} runs at once` });
  await expect(ours).toContainText("Live");
  await expect(live).toHaveCount(2);

  const killed = await ourWorker();
  process.kill(Number(killed.name.split("/").at(-1)), "SIGKILL");
  const gone = workersUnder(page, "Inactive");
  const lost = gone.filter({ hasText: `worker ${killed.id}` });
  await expect(lost).toContainText("Lost");
  await expect(lost).toContainText("its runs were reassigned");

  // Its launcher has started another one in its place.
  await expect(ours).toBeVisible();
  const next = await ourWorker();
  expect(next.id).not.toBe(killed.id);
  await launched.stop();
  await expect(gone.filter({ hasText: `worker ${next.id}` })).toContainText("Stopped");
  await expect(live).toHaveCount(1);
});

const workersUnder = (page: Page, title: string) =>
  page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) })
    .locator("> ul > li");

async function ourWorker() {
  const { workers } = await handrail.workers();
  const ours = workers.find(({ status, concurrency }) => status === "live" && concurrency === CONCURRENCY);
  if (!ours) throw new Error("Our worker is not live.");
  return ours;
}
