import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { handrail, stepOf, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { during } from "../support/faults";
import { chargesOf } from "../support/ledger";
import { freshId, startedOrder } from "../support/orders";
import { expectNoOverflow } from "../support/overflow";
import { openRun } from "../support/screen";

const rowOf = (page: Page, step: string) =>
  page.getByRole("table", { name: "Effects" }).getByRole("row").filter({ hasText: step });

test("an order whose charge was sent twice is proved to have been charged once, and the proof is taken along", async ({
  page,
}) => {
  const { run, orderId } = await during("payments", { mode: "lose-answer", only: "charges", times: 1 }, async () => {
    const order = await startedOrder();
    return { ...order, run: await untilRun(order.run.id, "completed") };
  });
  const [charge] = await chargesOf(orderId);

  await openRun(page, run.id);
  await page.getByRole("tab", { name: "Effects" }).click();
  await expect(page.getByText("Nothing happened twice where providers honour their keys")).toBeVisible();
  const row = rowOf(page, "charge-payment");
  await expect(row).toContainText("Same key again");
  await expect(row.getByText(charge?.id as string).filter({ visible: true })).toBeVisible();
  await expect(rowOf(page, "create-order")).toContainText("Once");
  await row.getByText("2 attempts").click();
  await expect(row.getByRole("listitem").filter({ hasText: "attempt 1" }).first()).toContainText("Unknown");
  await expectNoAxeViolations(page);
  await expectNoOverflow(page);

  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`effects-${run.id}.csv`);
  const text = await readFile(await download.path(), "utf8");
  const charged = text.split("\r\n").filter((line) => line.includes(",charge-payment,"));
  expect(charged).toHaveLength(1);
  expect(charged[0]).toContain(`same_key`);
  expect(charged[0]).toContain(charge?.id);
  expect(charged[0]).toContain(charge?.idempotencyKey);
});

test("from the list of runs to every charge of a filter, and one that was sent with a fresh key is flagged", async ({
  page,
}) => {
  const orderId = freshId("E");
  const key = freshId("batch");
  const step = `charge:${orderId}`;
  const { id } = await handrail.start({
    workflow: "order-batch",
    input: { orderIds: [orderId] },
    idempotencyKey: key,
  });
  await untilRun(id, "completed");
  await handrail.rerun(id, { fromStep: step, freshKeys: true, reason: "Somebody means it" });
  const again = await untilRun(id, "completed");
  expect(await chargesOf(orderId)).toHaveLength(2);

  await page.goto(`/runs?q=${key}`);
  await page.getByRole("link", { name: "Effects of these runs" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Effects" })).toBeVisible();
  await page.getByRole("textbox", { name: "Step" }).fill(step);
  const row = rowOf(page, step);
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("Possible duplicate");
  await row.getByText("2 attempts, 2 generations").click();
  await expect(row.getByText("Generation 2")).toBeVisible();
  await expectNoAxeViolations(page);

  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "NDJSON" }).click();
  const lines = (await readFile(await (await downloading).path(), "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { step, verdict: "maybe_twice", reference: stepOf(again, step).reference },
  ]);

  await page.getByRole("textbox", { name: "Step" }).fill("no-such-step");
  await expect(page.getByText("No effects match these filters")).toBeVisible();
  await page.goto(`/runs/${id}?tab=effects`);
  await expect(page.getByText("Something may have happened twice.")).toBeVisible();
});
