import type { TransactionOf } from "handrail";
import { defineConfig } from "handrail/config";
import { kyselyTransactions } from "handrail/kysely";
import { db } from "./src/db";
import { payOrder } from "./src/order";
import * as payments from "./src/payments";

const transactions = kyselyTransactions(db);

export default defineConfig({ workflows: [payOrder], services: { payments }, transactions, name: "shop" });

declare module "handrail" {
  interface Register {
    transaction: TransactionOf<typeof transactions>;
  }
  interface Services {
    payments: typeof payments;
  }
}
