import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { chargesOf } from "../support/ledger";
import { freshId } from "../support/orders";
import { carryOut, chooseAct, expectStatus, openRun, timelineRow } from "../support/screen";

job("@job-6", () => {
  test("a completed run goes again from a chosen step: history stays, keys stay, nobody pays twice", async ({
    page,
    hands,
  }) => {
    const orderIds = ["a", "b", "c"].map((letter) => `${freshId("E")}-${letter}`);
    const { id } = await handrail.start({ workflow: "order-batch", input: { orderIds } });
    const before = await untilRun(id, "completed");
    const [first, second, third] = orderIds.map((orderId) => `charge:${orderId}`) as [string, string, string];

    await openRun(page, id);
    await chooseAct(page, "Rerun from a step…", hands);
    const dialog = page.getByRole("dialog", { name: /^Rerun from/ });
    await hands.press(dialog.getByRole("radio", { name: second }));
    await expect(dialog).toHaveAccessibleName(`Rerun from ${second}`);
    await expect(dialog.getByText("1 result kept, 2 steps again, and every later step.")).toBeVisible();
    await expect(dialog.getByRole("radio", { name: first })).toHaveAccessibleDescription("result kept");
    await expect(dialog.getByRole("radio", { name: third })).toHaveAccessibleDescription("runs again · same key");
    await carryOut(dialog, "Rerun", "The second charge looks odd", hands);

    const after = await untilRun(id, "completed");
    expect(after.generation).toBe(2);
    await expectStatus(page, "Completed");
    // A phone begins with the list of steps, which has no lanes.
    if (hands.way === "keys") {
      await expect(page.getByText("rerun by operator")).toBeVisible();
      await expect(page.getByText(`${first}: result kept`)).toBeVisible();
    }
    await expect(timelineRow(page, first)).toHaveCount(1);
    await expect(timelineRow(page, second)).toHaveCount(2);
    await hands.press(timelineRow(page, second).first());
    await expect(page.getByText("by the rerun that opened generation 2")).toBeVisible();

    expect(after.steps.filter(({ supersededBy }) => supersededBy === 2).map(({ name }) => name)).toEqual([
      second,
      third,
    ]);
    const asked = await Promise.all(
      orderIds.map(async (orderId) => (await chargesOf(orderId)).map((one) => one.requests)),
    );
    expect(asked).toEqual([[1], [2], [2]]);
    expect(after.output).toEqual(before.output);
  });
});

test("a step that nothing protects says so before it goes again", async ({ page }) => {
  const { id } = await handrail.start({
    workflow: "welcome-reminder",
    input: { email: `${freshId("e")}@shop.example`, delaySeconds: 0 },
  });
  await untilRun(id, "completed");
  await openRun(page, id, "?step=send-reminder");
  await page.getByRole("button", { name: "Rerun from here…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rerun from send-reminder" });
  await expect(dialog.getByText(/can happen a second time/)).toBeVisible();
  await expect(dialog.getByRole("radio", { name: "send-reminder" })).toHaveAccessibleDescription(
    "runs again · unprotected",
  );
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Rerun from here…" })).toBeFocused();
  expect((await handrail.run(id)).generation).toBe(1);
});

test("one of the steps that ran side by side goes again alone", async ({ page }) => {
  const { id } = await handrail.start({ workflow: "user-sync", input: {} });
  const before = await untilRun(id, "completed");
  // The one that ended last: none of the others began after it.
  const [last] = before.steps.sort((a, b) => (b.finishedAt ?? "").localeCompare(a.finishedAt ?? ""));
  const chosen = last?.name as string;
  await openRun(page, id);
  await chooseAct(page, "Rerun from a step…");
  const dialog = page.getByRole("dialog", { name: /^Rerun from/ });
  await dialog.getByRole("radio", { name: chosen }).click();
  await dialog.getByRole("checkbox", { name: "Only this step and the steps after it" }).check();
  await expect(
    dialog.getByText(`${before.steps.length - 1} results kept, 1 step again, and every later step.`),
  ).toBeVisible();
  await carryOut(dialog, "Rerun", "This user looks odd");

  const after = await untilRun(id, "completed");
  expect(after.steps.filter(({ supersededBy }) => supersededBy !== null).map(({ name }) => name)).toEqual([chosen]);
});
