import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "./generated/client";

/** On globalThis, since Next bundles the instrumentation and each route by themselves. */
const shared = globalThis as { prisma?: PrismaClient };
shared.prisma ??= new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL }) });
export const prisma = shared.prisma;
