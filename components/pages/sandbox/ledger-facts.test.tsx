import { describe, expect, it } from "vitest";
import { at } from "@/components/testing/a-run";
import { ledgerFacts } from "./ledger-card";

describe("what the gateway's books prove", () => {
  const charge = (orderId: string, requests: number) => ({
    id: `ch_${orderId}_${requests}`,
    idempotencyKey: "k",
    orderId,
    amountCents: 1,
    currency: "EUR",
    createdAt: at(0),
    requests,
  });

  it("requested often, charged once", () => {
    expect(ledgerFacts({ charges: [charge("A", 3), charge("B", 1)], refunds: [] })).toEqual({
      charges: 2,
      orders: 2,
      requested: 4,
      chargedTwice: [],
    });
  });

  it("finds the order that was charged twice", () => {
    expect(ledgerFacts({ charges: [charge("A", 1), charge("A", 2)], refunds: [] }).chargedTwice).toEqual(["A"]);
  });
});
