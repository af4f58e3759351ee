import type { Page } from "@playwright/test";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { expectNoOverflow } from "../support/overflow";
import { type OwnServer, startOwnServer } from "../support/own-server";
import { reasonIn } from "../support/screen";

const BOOTSTRAP = "e2e-bootstrap-0123456789-abcdefghij";
const PASSWORD = "correct horse battery";

// What a browser says of a refusal is no error of the page.
test.use({ expectedErrors: /401|403/, person: null });

let server: OwnServer;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  server = await startOwnServer({ HANDRAIL_SIGN_IN: "on", HANDRAIL_BOOTSTRAP_TOKEN: BOOTSTRAP });
});
test.afterAll(() => server?.stop());

async function choosePassword(page: Page, link: string, name?: string): Promise<void> {
  await page.goto(link);
  if (name) await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page.getByRole("button", { name: `You are ${name?.toLowerCase() ?? ""}` }).first()).toBeVisible();
}

test("the first start's link makes an admin, who signs out and in, and invites a viewer", async ({ page, browser }) => {
  const [, link = ""] = await server.said(/The first admin does at (\S+)/);
  await choosePassword(page, link, "Ada");

  await page.getByRole("button", { name: "You are ada" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expectNoAxeViolations(page);
  await expectNoOverflow(page);

  await page.goto(`${server.url}/runs`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.getByLabel("Name").fill("ada");
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Wrong name or password.")).toBeVisible();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();

  await page.getByRole("button", { name: "You are ada" }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Invite…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Grace");
  await dialog.getByLabel("Role").selectOption("viewer");
  await reasonIn(dialog).fill("Looks in now and then");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Create link" }).click();
  const invitation = await page
    .getByRole("dialog")
    .getByTitle(/set-up#/)
    .getAttribute("title");
  await page.getByRole("button", { name: "Done" }).click();
  await expectNoAxeViolations(page);

  const others = await browser.newContext();
  const grace = await others.newPage();
  await choosePassword(grace, invitation ?? "", undefined);
  await expect(grace.getByRole("button", { name: "You are grace" })).toBeVisible();
  await grace.goto(`${server.url}/runs`);
  const start = grace.getByRole("button", { name: "Start a run" }).first();
  await expect(start).toHaveAttribute("aria-disabled", "true");
  await start.hover();
  await expect(grace.getByRole("tooltip")).toContainText("You may not start runs. It takes the role operator.");

  // Ended by the admin: over with the next request.
  await page.reload();
  await page.getByRole("button", { name: "End the session of grace" }).click();
  await reasonIn(page.getByRole("dialog")).fill("Left");
  await page.getByRole("dialog").getByRole("button", { name: "End the session" }).click();
  await expect(page.getByRole("button", { name: "End the session of grace" })).toHaveCount(0);
  // Her page may have heard of it by itself and be on its way to the sign-in, which breaks off this navigation.
  await grace
    .goto(`${server.url}/workers`)
    .catch((error: Error) => expect(error.message).toMatch(/ERR_ABORTED|interrupted/));
  await expect(grace.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await others.close();
});

test("a page shows nothing to a visitor who has not signed in, and the API nothing without a token", async ({
  request,
}) => {
  for (const path of ["/", "/runs", "/workers", "/schedules", "/settings"]) {
    const answer = await request.get(server.url + path, { maxRedirects: 0 });
    const text = await answer.text();
    expect([answer.status(), text.includes("dehydratedState")], path).toEqual([307, false]);
  }
  expect((await request.get(`${server.url}/api/v1/runs`)).status()).toBe(401);
  const headers = { authorization: `Bearer ${BOOTSTRAP}` };
  const known = await request.get(`${server.url}/api/v1/session`, { headers });
  expect(await known.json()).toMatchObject({ name: "bootstrap token", kind: "token" });
  expect(known.headers()["x-content-type-options"]).toBe("nosniff");
});
