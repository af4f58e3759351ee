import { PrismaPg } from "@prisma/adapter-pg";
import { prismaTransactions } from "../../adapters/prisma";
import { PrismaClient } from "../../generated/prisma/client";
import { createHandrail } from "../../library/handrail";
import { orderPlaced } from "./order-paid";

export const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL }) });
export const handrail = createHandrail({ workflows: [orderPlaced], transactions: prismaTransactions(prisma) });

export const placeOrder = (orderId: string) =>
  prisma.$transaction(async (tx) => {
    await tx.$executeRaw`insert into app_order (id) values (${orderId})`;
    return handrail.start(orderPlaced, { orderId }, { tx, idempotencyKey: `order:${orderId}` });
  });
