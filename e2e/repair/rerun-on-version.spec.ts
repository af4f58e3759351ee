import type { Plan } from "../../lib/api/contract/plans";
import { ask, handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { aMailbox, freshId } from "../support/orders";
import { carryOut, expectStatus, openRun, timelineRow } from "../support/screen";

const HOUR_MS = 3_600_000;

/** Started on version 1, which treats every postcode as a German one. */
async function letterThatFailed(): Promise<string> {
  const input = { orderId: freshId("L"), email: aMailbox(), postcode: "SW1A 1AA" };
  const runAt = new Date(Date.now() + HOUR_MS).toISOString();
  const { id } = await handrail.start({ workflow: "delivery-letter", input, runAt });
  const selection = { runIds: [id] };
  const { body: plan } = await ask<Plan>("POST", "/plans", { act: "move", params: { version: 1 }, selection });
  await ask("POST", `/plans/${plan.id}/executions`, { hash: plan.hash, reason: "As it was deployed then" });
  await ask("POST", `/runs/${id}/wakeups`, { reason: "As it was deployed then" });
  await untilRun(id, "failed");
  return id;
}

job("@job-8", () => {
  test("a run that version 1 has failed is rerun on version 2, and the steps say what that code leaves out", async ({
    page,
    hands,
  }) => {
    const id = await letterThatFailed();
    await openRun(page, id);
    await expectStatus(page, "Failed");
    await hands.press(page.getByRole("button", { name: "Rerun from check-postcode…" }));
    const dialog = page.getByRole("dialog", { name: "Rerun from check-postcode" });
    await hands.choose(dialog.getByLabel("Version"), "version 2");
    await expect(dialog).toContainText("1 step again, and every later step, by version 2.");
    await expect(dialog).toContainText("the run stops before harm");
    await carryOut(dialog, "Rerun", "Version 2 knows Britain", hands);
    await expectStatus(page, "Completed");

    await expect(page.getByText("Version 2 took another path")).toBeVisible();
    await expect(timelineRow(page, "write-letter")).toContainText("not in v2");
    await expect(timelineRow(page, "look-up-country")).toContainText("new in v2");
    await hands.press(timelineRow(page, "compose-letter"));
    await expect(page.getByRole("heading", { name: "compose-letter" }).first()).toBeVisible();
    await expectNoAxeViolations(page);
    expect(await untilRun(id, "completed")).toMatchObject({
      codeVersion: 2,
      chosenVersion: 2,
      drift: [{ gone: ["write-letter"], next: "look-up-country", stopped: false }],
    });
  });
});
