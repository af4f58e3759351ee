import { prismaTransactions } from "../lib/adapters/prisma";
import { defineConfig } from "../lib/app";
import { appServices } from "./services/app-services";
import { largeValues } from "./services/large-values";
import { createPrisma } from "./services/prisma";
import { alerts } from "./workflows/alerts";
import { workflows } from "./workflows/index";
import { schedules } from "./workflows/schedules";

/** The demo's app: the sample workflows, on the sandbox and the tables of the schema `demo`. */
export default defineConfig({
  workflows,
  schedules,
  alerts,
  services: appServices,
  blobs: largeValues,
  transactions: (pool) => prismaTransactions(createPrisma(pool)),
});
