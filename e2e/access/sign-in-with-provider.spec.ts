import { anAccount } from "../../lib/testing/api/an-account";
import { type FakeProvider, startFakeProvider } from "../../lib/testing/api/fake-provider";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { expectNoOverflow } from "../support/overflow";
import { type OwnServer, startOwnServer } from "../support/own-server";

// What a browser says of a refusal is no error of the page.
test.use({ expectedErrors: /401|403/ });

let server: OwnServer;
let provider: FakeProvider;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  server = await startOwnServer(async (url) => {
    provider = await startFakeProvider(`${url}/api/v1/session/provider/callback`);
    return {
      HANDRAIL_SIGN_IN: "on",
      HANDRAIL_ORIGIN: url,
      HANDRAIL_OIDC_ISSUER: provider.issuer,
      HANDRAIL_OIDC_CLIENT_ID: provider.clientId,
      HANDRAIL_OIDC_CLIENT_SECRET: provider.clientSecret,
      HANDRAIL_OIDC_ROLES: JSON.stringify({ ops: "operator" }),
    };
  });
});
test.afterAll(() => Promise.all([server?.stop(), provider?.close()]));

test("the first admin comes by the link and the provider, an operator by a group, and a user with neither sees why", async ({
  page,
  browser,
}) => {
  const [, link = ""] = await server.said(/The first admin does at (\S+)/);
  provider.account = anAccount("ada", []);
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Choose how to sign in" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: /^Continue with 127/ }).click();
  await expect(page.getByRole("button", { name: "You are ada@example.com" }).first()).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  provider.account = anAccount("nobody-of-ours", ["guests"]);
  await other.goto(`${server.url}/runs?status=failed`);
  await other.getByRole("button", { name: /^Continue with 127/ }).click();
  await expect(other.getByText("None of your groups has a role here.")).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await other.emulateMedia({ colorScheme });
    await expectNoAxeViolations(other);
  }
  await other.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(other);

  provider.account = anAccount("grace");
  await other.goto(`${server.url}/sign-in?next=${encodeURIComponent("/runs?status=failed")}`);
  await other.getByRole("button", { name: /^Continue with 127/ }).click();
  await expect(other).toHaveURL(`${server.url}/runs?status=failed`);
  await other.goto(`${server.url}/audit`);
  await expect(other.getByRole("listitem").filter({ hasText: "joined by a group" })).toContainText("grace@example.com");
});
