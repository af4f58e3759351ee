import type { ProblemListResponse } from "../../lib/api/contract/problems";
import { ask } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { mend, setFault } from "../support/faults";
import { ordersFailedInAnOutage } from "../support/orders";
import { carryOut } from "../support/screen";

/*
 * The gateway was down, and orders failed. The operator probes the problem while it is still down, stops that, and probes again
 * once it is back: the first order gets through, and the rest are one press away.
 */

test.describe.configure({ timeout: 180_000 });
test.afterEach(() => mend("payments"));

test("a problem is probed until a run gets through, and then the rest are rerun", async ({ page }) => {
  const orders = await ordersFailedInAnOutage(3);
  const runIds = orders.map(({ run }) => run.id);
  let id = "";
  await expect
    .poll(async () => {
      const { body } = await ask<ProblemListResponse>(
        "GET",
        "/problems?q=charge&workflow=order-fulfilment&status=open,resolved",
      );
      const problem = body.problems.find(({ example }) => runIds.includes(example.runId));
      id = problem?.id ?? "";
      return problem?.openRuns ?? 0;
    })
    .toBeGreaterThanOrEqual(3);

  await setFault("payments", { mode: "down" });
  await page.goto(`/problems/${id}`);
  await page.getByRole("button", { name: "Probe…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Probe this problem" });
  await expect(dialog.getByRole("listitem").first()).toContainText("is rerun now from charge-payment");
  await expect(dialog).toContainText("1 min, 2 min, 4 min");
  await expectNoAxeViolations(page);
  await carryOut(dialog, "Start the probe", "Is it back?");
  const state = page.getByRole("region", { name: "Probe" });
  await expect(state).toContainText("Probing");
  await expect(page.getByRole("button", { name: "Probe…", exact: true })).toBeHidden();
  await expect(state).toContainText(/1 rerun failed again.*Next one in/, { timeout: 60_000 });
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Stop probe…" }).click();
  await carryOut(page.getByRole("dialog", { name: "Stop this probe" }), "Stop the probe", "Not yet");
  await expect(state).toContainText("Probe stopped");
  await expect(state).toContainText("Not yet");

  await mend("payments");
  await page.getByRole("button", { name: "Probe…", exact: true }).click();
  await carryOut(dialog, "Start the probe", "And now?");
  await expect(state).toContainText("A probe came through", { timeout: 60_000 });
  await state.getByText("1 rerun", { exact: true }).click();
  await expect(state.getByRole("list", { name: "Reruns of the probe" })).toContainText("got through");
  await expectNoAxeViolations(page);

  await expect(page.getByRole("list", { name: "Tried so far" })).toContainText("probed the problem");
  await page.getByRole("button", { name: "Send to…" }).click();
  const report = page.getByRole("dialog", { name: "Send a report" });
  await expect(report).toContainText(/order-fulfilment fails at charge-payment: .*a probe came through at/);
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");

  await state.getByRole("button", { name: /^Rerun the rest/ }).click();
  // Not carried out: other specs need the demo's own orders as they failed.
  await expect(page.getByRole("dialog", { name: /^Rerun \d+ runs$/ })).toBeVisible();
});
