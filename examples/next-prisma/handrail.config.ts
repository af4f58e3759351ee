import { defineConfig } from "handrail/config";
import { prismaTransactions } from "handrail/prisma";
import { prisma } from "./src/db";
import type { Prisma } from "./src/generated/client";
import { payOrder } from "./src/order";
import * as payments from "./src/payments";

const transactions = prismaTransactions(prisma);

export default defineConfig({ workflows: [payOrder], services: { payments }, transactions, name: "shop" });

declare module "handrail" {
  interface Register {
    transaction: Prisma.TransactionClient;
  }
  interface Services {
    payments: typeof payments;
  }
}
