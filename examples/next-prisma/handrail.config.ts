import { defineConfig } from "handrail/config";
import { prismaTransactions } from "handrail/prisma";
import { prisma } from "./src/db";
import type { Prisma } from "./src/generated/client";
import { payOrder } from "./src/order";

export default defineConfig({ workflows: [payOrder], transactions: prismaTransactions(prisma), name: "shop" });

declare module "handrail" {
  interface Register {
    transaction: Prisma.TransactionClient;
  }
}
