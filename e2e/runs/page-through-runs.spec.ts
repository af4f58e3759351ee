import { handrail } from "../support/api";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";

const RUNS = 120;
const HOUR_MS = 3_600_000;

test("older runs come as one scrolls, each once and in order, whatever is new meanwhile", async ({ page }) => {
  const accountId = freshId("acc");
  const runAt = new Date(Date.now() + HOUR_MS).toISOString();
  const start = () => handrail.start({ workflow: "account-credit", input: { accountId, amountCents: 100 }, runAt });
  const ids: string[] = [];
  for (let index = 0; index < RUNS; index += 20)
    ids.push(...(await Promise.all(Array.from({ length: 20 }, start))).map(({ id }) => id));
  ids.sort().reverse();

  const pages: string[] = [];
  page.on("response", (response) => {
    const url = new URL(response.url());
    if (url.pathname === "/api/v1/runs" && url.searchParams.has("cursor"))
      pages.push(url.searchParams.get("cursor") ?? "");
  });
  await page.goto(`/runs?q=${accountId}`);
  const drawn = page.locator("tbody tr[id]");
  await expect(drawn.first()).toHaveId(`run-${ids[0]}`);

  const seen = new Set<string>();
  const look = async () => {
    for (const id of await drawn.evaluateAll((rows) => rows.map((row) => row.id.replace("run-", "")))) seen.add(id);
  };
  await look();
  await start(); // what is new does not shift what comes next
  await drawn.first().hover();
  await expect(async () => {
    await page.mouse.wheel(0, 700);
    await look();
    await expect(page.getByText(/^12\d runs in total$/)).toBeInViewport({ timeout: 100 });
  }).toPass({ intervals: [50] });
  await look();
  expect([...seen].sort().reverse()).toEqual(ids);
  expect(pages.length).toBeGreaterThanOrEqual(2);
  await expect(page.getByRole("button", { name: "1 new run · show" })).toBeVisible();
});
