import type { TransactionOf } from "handrail";
import { defineConfig } from "handrail/config";
import { drizzleTransactions } from "handrail/drizzle";
import { db } from "./src/db";
import { payOrder } from "./src/order";
import * as payments from "./src/payments";

const transactions = drizzleTransactions(db);

export default defineConfig({ workflows: [payOrder], services: { payments }, transactions, name: "shop" });

declare module "handrail" {
  interface Register {
    transaction: TransactionOf<typeof transactions>;
  }
  interface Services {
    payments: typeof payments;
  }
}
