import type { Workflow } from "../../lib/engine/workflows/workflow";
import { accountCredit } from "./account-credit/account-credit";
import { accountStatement } from "./account-statement/account-statement";
import { batchFulfilment } from "./batch-fulfilment/batch-fulfilment";
import { campaignLaunch } from "./campaign-launch/campaign-launch";
import { deliveryLetter } from "./delivery-letter/delivery-letter";
import { deliveryLetterV1 } from "./delivery-letter/delivery-letter-v1";
import { orderBatch } from "./order-batch/order-batch";
import { orderFulfilment } from "./order-fulfilment/order-fulfilment";
import { profileImage } from "./profile-image/profile-image";
import { refundRequest } from "./refund-request/refund-request";
import { sellerPayout } from "./seller-payout/seller-payout";
import { userSync } from "./user-sync/user-sync";
import { welcomeReminder } from "./welcome-reminder/welcome-reminder";

/** Every workflow that this app's workers run and its console can start. */
export const workflows: Workflow[] = [
  orderFulfilment,
  profileImage,
  accountCredit,
  orderBatch,
  welcomeReminder,
  userSync,
  refundRequest,
  batchFulfilment,
  campaignLaunch,
  accountStatement,
  deliveryLetter,
  deliveryLetterV1,
  sellerPayout,
];
