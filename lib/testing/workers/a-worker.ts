import { appServices } from "../../../demo/services/app-services";
import { createPrisma } from "../../../demo/services/prisma";
import { pgTransactions } from "../../adapters/pg";
import { prismaTransactions } from "../../adapters/prisma";
import { prepareStart, type StartOptions } from "../../engine/runs/start";
import type { AppServices, Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { insertRunOnce } from "../../store/runs/start-run";
import {
  type WorkerSetup as AnyWorkerSetup,
  type MakeApp,
  startWorker as startAnyWorker,
  type TestWorker,
} from "../../testkit/start-worker";
import type { TestDatabase } from "../database/database";

export type { TestWorker };

export interface WorkerSetup extends AnyWorkerSetup {
  /** Default: the app's own. */
  services?: AppServices;
}

/** A real worker in this process, with this app's services for its workflows. */
export function startWorker(
  { url }: Pick<TestDatabase, "url">,
  workflows: readonly Workflow[],
  { services = appServices, ...setup }: WorkerSetup = {},
): Promise<TestWorker> {
  const makeApp: MakeApp = (pool) => {
    const prisma = createPrisma(pool);
    return {
      transactions: { app: prismaTransactions(prisma), pg: pgTransactions(pool) },
      services,
      close: () => prisma.$disconnect(),
    };
  };
  return startAnyWorker(url, workflows, makeApp, setup);
}

/** Starts a run as an app does; returns its id. */
export async function start(db: Db, workflow: Workflow, input: unknown = {}, options?: StartOptions): Promise<string> {
  return (await insertRunOnce(db, await prepareStart(workflow, input, options))).id;
}
