import { PrismaPg } from "@prisma/adapter-pg";
import { prismaTransactions } from "./lib/adapters/prisma";
import { defineConfig } from "./lib/app";
import { type Prisma, PrismaClient } from "./lib/generated/prisma/client";

/**
 * Your app, for `npm start`, `npm run worker` and `npm run dev`. docs/tutorial.md adds a first workflow. The demo has the
 * sample workflows beside yours (load-app.ts).
 */
export default defineConfig({
  workflows: [],
  schedules: [],
  services: {},
  transactions: (pool) => prismaTransactions(new PrismaClient({ adapter: new PrismaPg(pool) })),
});

/** The type of what `ctx.transaction` gives to a step: the client of prisma/schema.prisma. */
declare module "./lib/engine/workflows/workflow" {
  interface Register {
    transaction: Prisma.TransactionClient;
  }
}
