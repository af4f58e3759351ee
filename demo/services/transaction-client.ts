import type { Prisma } from "../../lib/generated/prisma/client";

/** What `ctx.transaction` hands over in this app. */
declare module "../../lib/engine/workflows/workflow" {
  interface Register {
    transaction: Prisma.TransactionClient;
  }
}
