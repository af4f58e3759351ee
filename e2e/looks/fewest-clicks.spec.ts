import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import * as orders from "../support/orders";
import { freshId } from "../support/orders";
import { openPalette, reasonIn } from "../support/screen";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

/** The clicks of the table in docs/console/jobs.md, by the job's words there. */
const DOCUMENTED = new Map(
  readFileSync(new URL("../../docs/console/jobs.md", import.meta.url), "utf8")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter(([, job, from]) => job && from?.startsWith("`/"))
    .map(([, job, , clicks]) => [job as string, Number(clicks)]),
);

/** Each job by its shortest way with the mouse, from the page where it begins to the button that carries it out. */
const WAYS: Record<string, (page: Page) => Promise<void>> = {
  "1 rerun all runs that failed alike": async (page) => {
    const [batch] = await orders.batchesFailedInAnOutage(2);
    await page.goto("/");
    const problem = page.getByRole("listitem").filter({ hasText: "Order batch" });
    await problem.getByRole("button", { name: /^Rerun \d+ runs…$/ }).click();
    await confirm(page.getByRole("dialog"), /^Rerun \d+ runs$/);
    await untilRun(String(batch?.run.id), "completed");
  },
  "2 find a customer's order, and repair it": async (page) => {
    const { key, step, run } = await orders.batchFailedInAnOutage();
    await page.goto("/");
    await openPalette(page, "/");
    await page.keyboard.type(key);
    await expect(page.getByRole("option", { name: new RegExp(`^${key}`) })).toBeVisible();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: `Rerun from ${step}…` }).click();
    await confirm(page.getByRole("dialog"), "Rerun");
    await untilRun(run.id, "completed");
  },
  "3 ask the provider about an unknown charge": async (page) => {
    const { run } = await orders.orderWithUnknownCharge();
    await page.goto(`/runs/${run.id}`);
    await page.getByRole("button", { name: "Resolve the unknown step…" }).click();
    await confirm(page.getByRole("dialog"), "Check with provider");
    await untilRun(run.id, "completed");
  },
  "4 mark a failed refund as done manually": async (page) => {
    const { run } = await orders.orderWithFailedRefund();
    await page.goto(`/runs/${run.id}`);
    await page.getByRole("button", { name: "Mark compensated…" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "What was done" }).fill("Refunded at the gateway's desk");
    await dialog.getByRole("button", { name: "Mark compensated" }).click();
    await untilRun(run.id, "compensated");
  },
  "5 supply the result of a failed step": async (page) => {
    const { run } = await orders.declinedOrder();
    await page.goto(`/runs/${run.id}`);
    await page.getByRole("button", { name: "Set output…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: /^Reference/ }).fill("transfer-81");
    await dialog.getByRole("textbox", { name: /^Output/ }).fill('{ "id": "transfer-81" }');
    await confirm(dialog, "Record that it happened");
    await untilRun(run.id, "completed");
  },
  "6 rerun from an earlier step": async (page) => {
    const orderIds = [freshId("E"), freshId("E")];
    const { id } = await handrail.start({ workflow: "order-batch", input: { orderIds } });
    await untilRun(id, "completed");
    await page.goto(`/runs/${id}?step=charge:${orderIds[0]}`);
    await page.getByRole("button", { name: "Rerun from here…" }).click();
    await confirm(page.getByRole("dialog"), "Rerun");
    await expect.poll(async () => (await handrail.run(id)).generation).toBe(2);
    await untilRun(id, "completed");
  },
  "7 cancel all runs that match": async (page) => {
    const email = `${freshId("e")}@shop.example`;
    const { id } = await handrail.start({ workflow: "welcome-reminder", input: { email, delaySeconds: 3_600 } });
    await untilRun(id, "waiting");
    await page.goto(`/runs?q=${id}`);
    await page.getByRole("button", { name: "Bulk action…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Cancel" }).click();
    await dialog.getByRole("textbox", { name: "Type cancel to continue" }).fill("cancel");
    await confirm(dialog, "Cancel 1 run");
    await untilRun(id, "cancelled");
  },
  "9 why a run waits": async (page) => {
    const { run } = await orders.orderOwingByHand();
    await page.goto(`/runs/${run.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  },
  "10 approve": async (page) => {
    const orderId = freshId("R");
    const input = { accountId: orderId, orderId, parcelId: "P", amountCents: 12_000, reason: "Too small." };
    await untilRun((await handrail.start({ workflow: "refund-request", input })).id, "waiting");
    await page.goto("/approvals");
    await page.getByRole("listitem").filter({ hasText: orderId }).getByRole("button", { name: "approve…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
  },
  "11 end a sleep": async (page) => {
    const email = `${freshId("e")}@shop.example`;
    const { id } = await handrail.start({ workflow: "welcome-reminder", input: { email, delaySeconds: 3_600 } });
    await untilRun(id, "waiting");
    await page.goto(`/runs/${id}`);
    await page.getByRole("button", { name: "Wake now…" }).first().click();
    await confirm(page.getByRole("dialog"), "Wake now");
    await untilRun(id, "completed");
  },
  "12 who did what": async (page) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Records" }).click();
    await page.getByRole("link", { name: "Audit", exact: true }).click();
    await expect(page.getByRole("list", { name: "Actions" }).getByRole("listitem").first()).toBeVisible();
  },
  "13 preview a backfill, and start it": async (page) => {
    const night = (daysAgo: number) =>
      `${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}T12:00`;
    const last = 120 + 3 * Math.floor(Math.random() * 60);
    await page.goto("/schedules");
    await page.getByRole("link", { name: "Nightly user sync" }).click();
    await page.getByRole("button", { name: "Backfill…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("From").fill(night(last + 1));
    await dialog.getByLabel("To", { exact: true }).fill(night(last));
    await confirm(dialog, /^Start 1 run$/);
  },
  "14 show a masked value": async (page) => {
    const { run } = await orders.declinedOrder();
    await page.goto(`/runs/${run.id}`);
    await page.getByRole("button", { name: "Show masked values…" }).first().click();
    await confirm(page.getByRole("dialog"), "Show masked values");
    await expect(page.getByRole("region", { name: "Masked values are shown" })).toBeVisible();
  },
  "15 copy a run as a test": async (page) => {
    const { run } = await orders.declinedOrder();
    await page.goto(`/runs/${run.id}`);
    await page.getByRole("button", { name: "Copy as" }).click();
    await page.getByRole("menuitem", { name: /^A test/ }).click();
    await expect(page.getByText("A test: copied")).toBeVisible();
  },
  "15 compare it with another": async (page) => {
    const { run } = await orders.declinedOrder();
    await page.goto(`/runs/${run.id}`);
    await page.getByRole("link", { name: "Compare" }).click();
    await expect(page.getByRole("combobox", { name: "Compared with" })).toBeVisible();
  },
};

/** Says why, and carries it out. */
async function confirm(dialog: Locator, button: string | RegExp): Promise<void> {
  await reasonIn(dialog).fill("As the job asks");
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await expect(dialog).toBeHidden();
}

for (const [job, doIt] of Object.entries(WAYS))
  test(`${job}: in as few clicks as documented`, async ({ page }) => {
    const counted = { clicks: 0 };
    await page.exposeFunction("countClick", () => counted.clicks++);
    await page.addInitScript(() =>
      // A key that presses a button makes a click, too: of no detail.
      addEventListener(
        "click",
        ({ isTrusted, detail }) => isTrusted && detail > 0 && Object(globalThis).countClick(),
        true,
      ),
    );
    await doIt(page);
    expect(counted.clicks).toBe(DOCUMENTED.get(job));
  });

test("every documented way is tried", () => expect([...DOCUMENTED.keys()]).toEqual(Object.keys(WAYS)));
