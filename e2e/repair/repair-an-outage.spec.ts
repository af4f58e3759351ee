import type { ProblemListResponse } from "../../lib/api/contract/problems";
import { ask, handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { chargesOf } from "../support/ledger";
import { batchesFailedInAnOutage } from "../support/orders";
import { carryOut } from "../support/screen";

/** How many batches have failed, once the one problem that they have in common holds them all. */
async function heldByTheProblem(): Promise<number> {
  const { runs } = await handrail.runs({ workflow: ["order-batch"], status: ["failed"] });
  const problems = async () => (await ask<ProblemListResponse>("GET", "/problems?workflow=order-batch")).body.problems;
  await expect.poll(problems).toMatchObject([{ openRuns: runs.length }]);
  return runs.length;
}

/** With five hundred, and everything killed in the middle: repair-an-outage-in-bulk.spec.ts. */
job("@job-1", () => {
  test("from the problem on the Overview to the plan of its runs, and to the report of each result", async ({
    page,
    hands,
  }) => {
    const batches = await batchesFailedInAnOutage(2);
    const count = await heldByTheProblem();
    await page.goto("/");
    const problem = page
      .getByRole("listitem")
      .filter({ hasText: "Order batch" })
      .filter({ hasText: `${count} runs` });
    await hands.press(problem.getByRole("button", { name: /^Rerun \d+ runs…$/ }));
    const dialog = page.getByRole("dialog", { name: `Rerun ${count} runs` });
    await expect(dialog).toContainText(/earlier results kept;.* idempotency keys are kept\./);
    await hands.press(dialog.getByText(`Run by run (${count})`));
    await expect(dialog.getByRole("list", { name: "Runs of the plan" }).getByRole("listitem")).toHaveCount(count);
    await carryOut(dialog, `Rerun ${count} runs`, "The gateway is back", hands);

    await expect(page.getByRole("heading", { level: 1, name: `Rerun ${count} runs` })).toBeVisible();
    await expect(page.getByRole("list", { name: "Current run status" })).toContainText(`Completed${count}`);
    const download = page.waitForEvent("download");
    await hands.press(page.getByRole("link", { name: "NDJSON" }));
    expect((await download).suggestedFilename()).toMatch(/\.ndjson$/);
    for (const { run, orderId } of batches) {
      await untilRun(run.id, "completed");
      expect(await chargesOf(orderId)).toMatchObject([{ requests: 1 }]);
    }
  });
});
