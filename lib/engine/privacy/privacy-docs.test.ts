import { expect, it } from "vitest";
import { z } from "zod";
import { fileText, snippetsOf } from "../../testing/doc-snippets";
import { inOneGo } from "../parts";
import { defineWorkflow } from "../workflows/workflow";
import { HIDDEN, hiddenText } from "./hidden-text";
import { MASKED, masked, maskOf, secretsInParts } from "./mask";

// --- what docs/privacy.md shows

const payout = defineWorkflow(
  {
    name: "payout",
    input: z.object({ account: z.object({ iban: z.string(), holder: z.string() }), amountCents: z.int() }),
    masked: ["account.iban", "account.holder", "*.birthday"],
  },
  async (ctx, { account, amountCents }) =>
    ctx.step("pay", async ({ log }) => {
      log(`Paying to ${account.iban}`);
      return { account, amountCents };
    }),
);

// --- the rest

it("this file has the snippet of the page", () => {
  const [snippet, ...more] = snippetsOf("privacy.md");
  expect(more).toEqual([]);
  expect(fileText(import.meta.url)).toContain(snippet);
});

it("the snippet masks the fields that the page names", () => {
  const mask = maskOf(payout.masked);
  const input = { account: { iban: "DE12 3456", holder: "Ada" }, people: [{ birthday: "1815-12-10" }], amountCents: 5 };
  expect(masked(input, mask, hiddenText([]))).toEqual({
    account: { iban: MASKED, holder: MASKED },
    people: [{ birthday: MASKED }],
    amountCents: 5,
  });
  expect(hiddenText(inOneGo(secretsInParts(input, mask))).hideIn("Paying to DE12 3456")).toBe(`Paying to ${HIDDEN}`);
});
