import { expect, it } from "vitest";
import { compensate, markCompensated } from "../../../lib/testing/actions";
import { aDesk } from "../../../lib/testing/desk";
import { anEngine } from "../../../lib/testing/workers/engine";
import { sellerPayout } from "./seller-payout";

const engine = anEngine();

it("is booked and ordered once; its compensation has instructions, and needs two people to be waived", async () => {
  const sent: string[] = [];
  const mail = {
    send: async (message: { text: string }) => {
      sent.push(message.text);
      return { messageId: "m-1" };
    },
  };
  const input = { sellerId: "s-1", amountCents: 12_050, bankEmail: "bank@shop.example" };
  const { run } = await engine.runToEnd(sellerPayout, input, { services: { mail } as never });
  expect(run).toMatchObject({ status: "completed", output: { orderedAs: "m-1" } });
  expect(sent).toEqual(["Pay 120.50."]);
  expect(await engine.rows("select amount_cents::int from demo.account_entry where run_id = $1", [run.id])).toEqual([
    { amount_cents: -12_050 },
  ]);
  const desk = aDesk(engine.db, { actor: "mia" });
  const owing = await compensate(desk, { runId: run.id, reason: "the seller is a fraud" });
  expect(owing.steps.find(({ name }) => name === "order-transfer")?.compensation).toMatchObject({
    status: "owed",
    instructions: "Ask the bank to return the payout of 120.50 to s-1, and write down its answer.",
  });
  const waive = { runId: run.id, step: "order-transfer", outcome: "waived", note: "it is small" } as const;
  await expect(markCompensated(desk, waive)).rejects.toMatchObject({ code: "approval_required" });
});
