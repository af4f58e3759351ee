import { execFileSync } from "node:child_process";
import { PrismaPg } from "@prisma/adapter-pg";
import { prismaTransactions } from "handrail/prisma";
import { defineVerification, type WorldOptions } from "handrail/verify";
import { PrismaClient } from "./generated/client";
import { payOrder } from "./order";

const order = { id: "A-1", cents: 4_900 };

export default defineVerification(payOrder, {
  inputs: [order],
  world: aShop,
  prepare: migrate,
  transactions: (pool) => prismaTransactions(new PrismaClient({ adapter: new PrismaPg(pool) })),
});

/** The order's row, and a provider that charges once a key, in the database of one trial. */
async function aShop({ databaseUrl }: WorldOptions) {
  const charges = new Map<string, number>();
  const charge = async (_order: string, cents: number, key: string) => {
    charges.set(key, cents);
    return `ch_${order.id}`;
  };
  await using(databaseUrl, (prisma) => prisma.order.create({ data: order }));
  const observe = async () => ({
    charges: [...charges.values()],
    orders: await using(databaseUrl, (prisma) => prisma.order.findMany()),
  });
  return { services: { payments: { charge } }, observe };
}

async function using<Result>(connectionString: string, use: (prisma: PrismaClient) => Promise<Result>) {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
  try {
    return await use(prisma);
  } finally {
    await prisma.$disconnect();
  }
}

/** The app's own migrations. */
function migrate(databaseUrl: string) {
  execFileSync("npm", ["run", "migrate"], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: "" },
  });
}
