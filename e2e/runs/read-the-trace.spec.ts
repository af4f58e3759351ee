import { askAs, handrail } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { serverEnvironment } from "../support/server";

const { HANDRAIL_BOOTSTRAP_TOKEN, PORT } = await serverEnvironment();
const hex = (digits: number) => [...Array(digits)].map(() => Math.floor(Math.random() * 16).toString(16)).join("");

test("what an app's spans say of a run is read on its page, by keyboard as well", async ({ page }) => {
  const { id } = await handrail.start({ workflow: "user-sync", input: {} });
  await expect.poll(async () => (await handrail.run(id)).status, { timeout: 30_000 }).toBe("completed");
  await page.goto(`/runs/${id}`);
  await page.getByRole("tab", { name: "Trace" }).click();
  await expect(page.getByText("No spans received")).toBeVisible();
  await expect(page.getByText("/api/v1/otlp/v1/traces")).toBeVisible();
  await expectNoAxeViolations(page);

  const begun = Date.parse((await handrail.run(id)).createdAt);
  const traceId = id.replaceAll("-", "");
  const [attempt, call] = [hex(16), hex(16)];
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const times = { startTimeUnixNano: `${begun + 5}000000`, endTimeUnixNano: `${begun + 25}000000` };
  const spans = [
    { traceId, spanId: attempt, name: "attempt read-directory", ...times, attributes: [text("handrail.run.id", id)] },
    {
      ...{ traceId, spanId: call, parentSpanId: attempt, name: "GET", kind: 3, ...times },
      ...{ status: { code: 2, message: "503 from the directory" }, attributes: [text("http.request.method", "GET")] },
    },
  ];
  const resource = { attributes: [text("service.name", "directory-client")] };
  // As a program sends them: by its token.
  const sent = await fetch(`http://127.0.0.1:${PORT}/api/v1/otlp/v1/traces`, {
    method: "POST",
    headers: { authorization: `Bearer ${HANDRAIL_BOOTSTRAP_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }),
  });
  expect(await sent.json()).toEqual({});

  await page.reload();
  const trace = page.getByRole("list", { name: "Trace of 2 spans" });
  const rows = trace.getByRole("button");
  await expect(rows).toHaveCount(2);
  const failed = trace.getByRole("button", {
    name: /^GET, directory-client, error: took 20 ms, began .* the run's start/,
  });
  await rows.first().focus();
  await page.keyboard.press("ArrowDown");
  await expect(failed).toBeFocused();
  // Of all rows, Tab stops at one.
  await expect(trace.locator("[data-row][tabindex='0']")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(trace.getByText("503 from the directory")).toBeVisible();
  await expect(page.getByText("2 spans of 1 service")).toBeVisible();
  await expectNoAxeViolations(page);

  // Of the demo's people, a viewer may not look at masked values: the message of an error may hold some.
  const { body } = await askAs("viewer", "GET", `/runs/${id}/spans`);
  expect(body).toMatchObject({ withheld: "permission", spans: [{ statusMessage: null }, { statusMessage: null }] });
});
