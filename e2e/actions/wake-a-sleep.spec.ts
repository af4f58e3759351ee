import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { mailTo } from "../support/ledger";
import { freshId } from "../support/orders";
import { carryOut, expectStatus, openRun } from "../support/screen";

job(["@job-9", "@job-11"], () => {
  test("a person ends a sleep, and what follows happens now", async ({ page, hands }) => {
    const email = `${freshId("e")}@shop.example`;
    const { id } = await handrail.start({ workflow: "welcome-reminder", input: { email, delaySeconds: 3_600 } });
    await untilRun(id, "waiting");
    await openRun(page, id);
    const why = page.getByText("Resumes automatically").locator("..");
    await expect(why).toContainText(/since .+, until .+ \(/);
    await hands.press(why.getByRole("button", { name: "Wake now…" }));
    const dialog = page.getByRole("dialog", { name: "Wake this run now" });
    await expect(dialog).toContainText("asleep until");
    await carryOut(dialog, "Wake now", "They asked for it today", hands);
    await untilRun(id, "completed");
    await expectStatus(page, "Completed");
    expect(await mailTo(email)).toHaveLength(2);
    expect((await handrail.run(id)).audit).toMatchObject([{ act: "wake", reason: "They asked for it today" }]);
  });
});
