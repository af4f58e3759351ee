import { handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { bothWays } from "../support/job";
import { freshId } from "../support/orders";
import { expectNoOverflow } from "../support/overflow";
import { openRun } from "../support/screen";

const MIB = 1_048_576;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** A photo of 1.5 MiB, which is longer than that as text. */
async function aPhoto() {
  const userId = freshId("photo");
  const image = Buffer.concat([PNG, Buffer.alloc(1.5 * MIB, 7)]).toString("base64");
  const { id } = await handrail.start({ workflow: "profile-image", input: { userId, image } });
  await untilRun(id, "completed");
  return { userId, id };
}

bothWays(() => {
  test("a value in the blob store has its size on the run's page, and is loaded when somebody asks for it", async ({
    page,
    hands,
  }) => {
    const { userId, id } = await aPhoto();
    await openRun(page, id, "?view=timeline");
    await expect(page.getByText("2.1 MB, in the blob store")).toBeVisible();
    expect(await page.content()).not.toContain("iVBORwcHBwcH");
    await expectNoAxeViolations(page);
    await hands.press(page.getByRole("button", { name: "Load the input" }));
    const input = page.getByRole("region", { name: "the input" });
    await expect(input).toContainText(userId);
    await expect(input).toContainText("iVBORwcHBwcH");
    await expectNoOverflow(page);
    await expectNoAxeViolations(page);
  });
});
