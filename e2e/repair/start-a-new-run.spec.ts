import { handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { chargesOf } from "../support/ledger";
import { declinedOrder, freshId } from "../support/orders";
import { chooseAct, expectStatus, openRun, reasonIn } from "../support/screen";

job("@job-6", () => {
  test("a run that cannot go on is started anew with an edited input, and each run names the other", async ({
    page,
    hands,
  }) => {
    const { run } = await declinedOrder();
    const orderId = freshId("E");
    await openRun(page, run.id);
    await chooseAct(page, "Start a new run…", hands);
    const dialog = page.getByRole("dialog", { name: "Start a new run" });
    const field = (name: string) => dialog.getByRole("textbox", { name });
    await expect(field("orderId")).toHaveValue(/^DECLINED/);
    await hands.write(field("orderId"), orderId);
    await expect(dialog.getByText("The input is not valid yet")).toBeVisible(); // for the address is masked
    await expect(dialog.getByRole("button", { name: "Start the new run" })).toBeDisabled();
    await hands.write(field("email"), `${orderId.toLowerCase()}@shop.example`);
    await hands.write(reasonIn(dialog), "Another card, under another number");
    await expectNoAxeViolations(page);
    await hands.press(dialog.getByRole("button", { name: "Start the new run" }));
    await expect(dialog).toBeHidden();

    await expect(page.getByText(/^Started again from/)).toBeVisible();
    await expectStatus(page, "Completed");
    const { startedAs } = await handrail.run(run.id);
    expect(startedAs).toHaveLength(1);
    expect(await untilRun(startedAs[0] as string, "completed")).toMatchObject({
      startedFrom: run.id,
      input: { orderId },
    });
    expect(await chargesOf(orderId)).toHaveLength(1);

    await hands.press(page.getByText(/^Started again from/).getByRole("link"));
    await expectStatus(page, "Failed");
    await expect(page.getByText(/^Started again as/)).toBeVisible();
  });
});
