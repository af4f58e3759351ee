import { accountCredit } from "../../demo/workflows/account-credit/account-credit";
import { batchFulfilment } from "../../demo/workflows/batch-fulfilment/batch-fulfilment";
import { orderBatch } from "../../demo/workflows/order-batch/order-batch";
import { orderFulfilment } from "../../demo/workflows/order-fulfilment/order-fulfilment";
import { profileImage } from "../../demo/workflows/profile-image/profile-image";
import { refundRequest } from "../../demo/workflows/refund-request/refund-request";
import { userSync } from "../../demo/workflows/user-sync/user-sync";
import { welcomeReminder } from "../../demo/workflows/welcome-reminder/welcome-reminder";
import type { RunStatus } from "../../lib/engine/runs/run";
import type { Workflow } from "../../lib/engine/workflows/workflow";
import { abandonIt, approveAndReturn, type Company, interruptIt, ringTwice, tellAndAnswer } from "./company";
import {
  abandoned,
  answering,
  crowded,
  gathering,
  interrupted,
  limited,
  listening,
  mapping,
  punctual,
  weighty,
} from "./flows/workflows";

/** Long enough for the run to be parked and resumed. */
export const REMINDER_AFTER_SECONDS = 0.4;
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const order = (word: string) => ({ orderId: `order-${word}`, amountCents: 4_200, email: `${word}@order.example` });

export interface Sample {
  workflow: Workflow;
  /** Of a run with unique words. Absent: started by its schedule only. */
  input?: (word: string) => object;
  /** How its runs may end. Default: completed. */
  mayBe?: readonly RunStatus[];
  /** Runs for each that is asked for. Default 1. */
  times?: number;
  /** What others do to its runs meanwhile. */
  company?: Company;
}

/** Every sample workflow, and those with which other clients interact. */
export const SAMPLES: Sample[] = [
  {
    workflow: orderFulfilment,
    input: order,
  },
  { workflow: profileImage, input: (word) => ({ userId: `user-${word}`, image: PNG }) },
  // Two runs to an account: they must not lose each other's credit.
  { workflow: accountCredit, input: (word) => ({ accountId: `account-${word.split("-")[0]}`, amountCents: 100 }) },
  { workflow: orderBatch, input: (word) => ({ orderIds: [1, 2, 3].map((item) => `batch-${word}-${item}`) }) },
  {
    workflow: welcomeReminder,
    input: (word) => ({ email: `${word}@welcome.example`, delaySeconds: REMINDER_AFTER_SECONDS }),
  },
  { workflow: userSync, input: () => ({}) },
  {
    workflow: refundRequest,
    input: (word) => ({
      ...{ accountId: `refund-${word}`, orderId: `order-${word}`, parcelId: `parcel-${word}` },
      ...{ amountCents: 9_000, reason: "too small" },
    }),
    company: approveAndReturn,
  },
  {
    workflow: batchFulfilment,
    input: (word) => ({ batchId: `batch-${word}`, orders: [1, 2].map((item) => order(`${word}-${item}`)) }),
  },
  { workflow: answering, input: (word) => ({ word }), company: ringTwice },
  { workflow: listening, input: (word) => ({ word }), company: tellAndAnswer },
  { workflow: gathering, input: (word) => ({ word }) },
  { workflow: abandoned, input: (word) => ({ word }), mayBe: ["cancelled"], company: abandonIt },
  { workflow: crowded, input: (word) => ({ word }), times: 3 },
  { workflow: limited, input: (word) => ({ word }), times: 3 },
  { workflow: mapping, input: (word) => ({ word }) },
  { workflow: weighty, input: (word) => ({ word }) },
  { workflow: interrupted, input: (word) => ({ word }), company: interruptIt },
  { workflow: punctual },
];
