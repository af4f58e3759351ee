import { createHandrail, type Handrail } from "handrail";
import config from "../handrail.config";
import type { Prisma } from "./generated/client";

/** On globalThis, since Next bundles the instrumentation and each route by themselves. */
const shared = globalThis as { handrail?: Handrail<Prisma.TransactionClient> };
shared.handrail ??= createHandrail(config);
export const handrail = shared.handrail;
