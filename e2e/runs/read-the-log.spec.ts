import { handrail } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";

test("what a run said is read and searched on its page, and how far it has come is seen there and in the list", async ({
  page,
}) => {
  const { id } = await handrail.start({ workflow: "user-sync", input: {} });
  await expect.poll(async () => (await handrail.run(id)).status, { timeout: 30_000 }).toBe("completed");

  await page.goto(`/runs/${id}`);
  await expect(page.getByRole("progressbar", { name: "Progress" })).toHaveAttribute("aria-valuetext", /of \d+ users/);
  await page.getByRole("tab", { name: "Logs" }).click();
  const lines = page.getByRole("list", { name: "Log" }).getByRole("listitem");
  await expect(lines).toHaveCount(1);
  await expect(lines).toContainText(/the directory has \d+ users/);
  await expectNoAxeViolations(page);

  const search = page.getByRole("searchbox", { name: "Find in the log" });
  await search.fill("DIRECTORY");
  await expect(lines).toHaveCount(1);
  await search.fill("nothing of the kind");
  await expect(page.getByText("No matching lines")).toBeVisible();
  await page.getByRole("button", { name: "Clear the search" }).click();
  await expect(lines).toHaveCount(1);

  await page.goto("/runs?workflow=user-sync");
  await expect(page.getByRole("progressbar", { name: "Progress" }).first()).toBeVisible();
});
