import type { RunStatus } from "../lib/engine/run";
import type { Workflow } from "../lib/engine/workflow";
import { accountCredit } from "../workflows/account-credit/account-credit";
import { orderBatch } from "../workflows/order-batch/order-batch";
import { orderFulfilment } from "../workflows/order-fulfilment/order-fulfilment";
import { profileImage } from "../workflows/profile-image/profile-image";
import { userSync } from "../workflows/user-sync/user-sync";
import { welcomeReminder } from "../workflows/welcome-reminder/welcome-reminder";

/** Long enough for the run to be put away and taken up again. */
export const REMINDER_AFTER_SECONDS = 0.4;
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Every sample workflow, with the input of a run whose words nobody else uses. */
export const SAMPLES: { workflow: Workflow; input: (word: string) => object }[] = [
  {
    workflow: orderFulfilment,
    input: (word) => ({ orderId: `order-${word}`, amountCents: 4_200, email: `${word}@order.example` }),
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
];

/** A run whose start was acknowledged. */
export interface GivenRun {
  id: string;
  workflow: string;
  input: object;
  /** How it may end. */
  mayBe: readonly RunStatus[];
}
