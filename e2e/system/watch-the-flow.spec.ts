import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";

test("the overview's charts are walked by keys, lead to the runs of a point, and to a workflow's steps", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByRole("radio", { name: "6 h" }).click();
  await expect(page).toHaveURL(/window=6h/);
  const chart = page.getByRole("slider", { name: "Runs started and ended, per 5 minutes" });
  await chart.focus();
  await page.keyboard.press("End");
  await expect(chart).toHaveAttribute(
    "aria-valuetext",
    /ended \d+, failed \d+, started \d+(, deploy .+)?, still filling$/,
  );
  await expectNoAxeViolations(page);

  const orders = page.getByRole("region", { name: "By workflow" }).getByRole("link", { name: "Order fulfilment" });
  await orders.click();
  await expect(page.getByRole("heading", { level: 1, name: "Order fulfilment" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Steps" }).getByRole("row", { name: /^charge-payment/ })).toBeVisible();
  await expectNoAxeViolations(page);

  const took = page.getByRole("slider", { name: "How long runs took" });
  await took.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/runs\?workflow=order-fulfilment&since=.*&until=/);
});
