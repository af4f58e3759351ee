import type { Prisma } from "../generated/prisma/client";

/** What `ctx.transaction` hands over in this app. */
declare module "../engine/workflows/workflow" {
  interface Register {
    transaction: Prisma.TransactionClient;
  }
}
