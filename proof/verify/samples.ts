import type { StandardSchemaV1 } from "@standard-schema/spec";
import app from "../../demo/app";
import { accountCredit } from "../../demo/workflows/account-credit/account-credit";
import { accountStatement } from "../../demo/workflows/account-statement/account-statement";
import { batchFulfilment } from "../../demo/workflows/batch-fulfilment/batch-fulfilment";
import { campaignLaunch } from "../../demo/workflows/campaign-launch/campaign-launch";
import { deliveryLetter } from "../../demo/workflows/delivery-letter/delivery-letter";
import { orderBatch } from "../../demo/workflows/order-batch/order-batch";
import { orderFulfilment } from "../../demo/workflows/order-fulfilment/order-fulfilment";
import { profileImage } from "../../demo/workflows/profile-image/profile-image";
import { refundRequest } from "../../demo/workflows/refund-request/refund-request";
import { sellerPayout } from "../../demo/workflows/seller-payout/seller-payout";
import { userSync } from "../../demo/workflows/user-sync/user-sync";
import { welcomeReminder } from "../../demo/workflows/welcome-reminder/welcome-reminder";
import type { TypedWorkflow } from "../../lib/engine/workflows/workflow";
import { defineVerification, type Verification } from "../../lib/verify/verify";
import { demoWorld, prepareDemoWorld } from "./demo-world";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const order = (orderId: string) => ({ orderId, amountCents: 4_900, email: `${orderId.toLowerCase()}@example.com` });
const refund = { accountId: "ada", orderId: "A-1", parcelId: "P-1", reason: "too small" };

function verification<Schema extends StandardSchemaV1, Output>(
  workflow: TypedWorkflow<Schema, Output>,
  inputs: StandardSchemaV1.InferInput<Schema>[],
  answers: Record<string, unknown> = {},
): Verification {
  return defineVerification(workflow, {
    inputs,
    answers,
    world: demoWorld,
    prepare: prepareDemoWorld,
    transactions: app.transactions,
    budget: "10m",
  });
}

/** Every sample workflow, with the ways through it that differ. */
export const samples: Verification[] = [
  verification(orderFulfilment, [order("A-1")]),
  verification(profileImage, [{ userId: "ada", image: PNG }]),
  verification(accountCredit, [{ accountId: "ada", amountCents: 100 }]),
  verification(orderBatch, [{ orderIds: ["A-1", "A-2"] }]),
  verification(welcomeReminder, [{ email: "ada@example.com", delaySeconds: 86_400 }]),
  verification(userSync, [{}]),
  verification(
    refundRequest,
    [
      { ...refund, amountCents: 900 },
      { ...refund, amountCents: 9_000 },
    ],
    { "approve-refund": "approve", "parcel-returned": { parcelId: "P-1", damaged: false } },
  ),
  verification(batchFulfilment, [{ batchId: "B-1", orders: [order("A-1")] }]),
  verification(campaignLaunch, [{ campaignId: "C-1", batches: [{ batchId: "B-1", orders: [order("A-1")] }] }]),
  verification(accountStatement, [{ accountId: "ada" }]),
  verification(deliveryLetter, [{ orderId: "A-1", email: "ada@example.com", postcode: "10115" }]),
  verification(sellerPayout, [{ sellerId: "ada", amountCents: 9_900, bankEmail: "bank@example.com" }]),
];
