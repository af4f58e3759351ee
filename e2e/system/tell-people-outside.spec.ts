import { askAs } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { aMailbox } from "../support/orders";
import { expectNoOverflow } from "../support/overflow";
import { reasonIn } from "../support/screen";

// What the browser says of the address that is refused is no error of the page.
test.use({ person: "admin", expectedErrors: /422/ });

test("an admin adds a destination, sees a message arrive, and sends it again", async ({ page }) => {
  const [name, address] = [`Night shift ${Date.now()}`, aMailbox()];
  await page.goto("/notifications");
  // The seed's own.
  await expect(page.getByRole("listitem").filter({ hasText: "oncall@operators.example" })).toContainText("On call");

  await page.getByRole("button", { name: "Add a destination" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a destination" });
  await dialog.getByLabel("Address", { exact: true }).fill("https://169.254.169.254/latest");
  await dialog.getByRole("button", { name: "Add destination" }).click();
  await expect(dialog).toContainText("Enter a name.");
  await dialog.getByLabel("Name").fill(name);
  await reasonIn(dialog).fill("Somebody has to know");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Add destination" }).click();
  await expect(dialog).toContainText("is in a private network");
  await dialog.getByRole("radio", { name: "E-mail" }).click();
  await dialog.getByLabel("Addresses").fill(address);
  await dialog.getByRole("button", { name: "Add destination" }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole("button", { name: `Open ${name}` }).click();
  const sheet = page.getByRole("dialog", { name });
  await sheet.getByRole("button", { name: "Send a test" }).click();
  await expect(sheet.getByText("Delivered")).toBeVisible();
  await expect(sheet).toContainText("1 attempt; answered 250 in");
  await sheet.getByRole("button", { name: /^Resend/ }).click();
  await expect(sheet).toContainText("2 attempts; answered 250 in");
  await expectNoAxeViolations(page);
  await expectNoOverflow(page);
  const { body } = await askAs<{ messages: { to: string; subject: string; messageId: string }[] }>(
    "admin",
    "GET",
    "/sandbox/mail",
  );
  // The destination also gets what other specs' runs cause meanwhile.
  const mails = body.messages.filter(({ to, subject }) => to === address && subject.startsWith("This is a test"));
  expect(mails).toHaveLength(2);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);

  await sheet.getByRole("button", { name: "Remove…" }).click();
  const removal = page.getByRole("dialog", { name: `Remove ${name}` });
  await reasonIn(removal).fill("The night is over");
  await removal.getByRole("button", { name: "Remove destination" }).click();
  await expect(page.getByRole("button", { name: `Open ${name}` })).toBeHidden();
});

test("an admin adds a paging service, whose key nobody sees again", async ({ page }) => {
  const [name, key] = [`Pager ${Date.now()}`, "0123456789abcdef0123456789abcdef"];
  await page.goto("/notifications");
  await page.getByRole("button", { name: "Add a destination" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a destination" });
  await dialog.getByRole("radio", { name: "PagerDuty" }).click();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Integration key").fill("too short");
  // A name that leads nowhere: other specs' failures must page nobody.
  await dialog.getByLabel("Address (optional)").fill("https://events.pagerduty.example");
  await reasonIn(dialog).fill("Nights are on call");
  await dialog.getByRole("button", { name: "Add destination" }).click();
  await expect(dialog).toContainText("32 characters");
  await dialog.getByLabel("Integration key").fill(key);
  await dialog.getByLabel("Runbook (optional)").fill("https://wiki.example/{event}");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Add destination" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("listitem").filter({ hasText: name })).toContainText(
    "PagerDuty to events.pagerduty.example",
  );

  await page.getByRole("button", { name: `Open ${name}` }).click();
  const sheet = page.getByRole("dialog", { name });
  await expect(sheet).not.toContainText(key);
  await expect(sheet).toContainText("https://wiki.example/{event}");
  await expect(sheet.getByRole("button", { name: "New secret…" })).toBeHidden();
  await sheet.getByRole("button", { name: "Change…" }).click();
  const change = page.getByRole("dialog", { name: `Change ${name}` });
  await expect(change.getByLabel("Integration key")).toHaveValue("");
  await reasonIn(change).fill("Off for now");
  await change.getByRole("checkbox", { name: "Switched on" }).click();
  await change.getByRole("button", { name: "Save changes" }).click();
  await expect(change).toBeHidden();
  await sheet.getByRole("button", { name: "Remove…" }).click();
  const removal = page.getByRole("dialog", { name: `Remove ${name}` });
  await reasonIn(removal).fill("The night is over");
  await removal.getByRole("button", { name: "Remove destination" }).click();
  await expect(page.getByRole("button", { name: `Open ${name}` })).toBeHidden();
});
