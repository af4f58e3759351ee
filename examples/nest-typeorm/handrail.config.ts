import type { TransactionOf } from "handrail";
import { defineConfig } from "handrail/config";
import { typeormTransactions } from "handrail/typeorm";
import { db } from "./src/db";
import { payOrder } from "./src/order";

const transactions = typeormTransactions(db);

export default defineConfig({ workflows: [payOrder], transactions, name: "shop" });

declare module "handrail" {
  interface Register {
    transaction: TransactionOf<typeof transactions>;
  }
}
