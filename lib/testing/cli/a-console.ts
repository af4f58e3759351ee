import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { openApp } from "../../app";
import type { Schedule } from "../../engine/schedules/schedule";
import type { Workflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { operationWorkflow } from "../../operator/operations/operation-workflow";
import { probeWorkflow } from "../../operator/probes/probe-workflow";
import { poolDb } from "../../store/db";
import { startWorker } from "../../testkit/start-worker";
import { anApi } from "../api/api";
import { memoryBlobs } from "../blobs";
import { createTestDatabase } from "../database/database";
import { aDesk } from "../desk";
import sampleApp from "../sample-app";

/** The API on a free port, without sign-in, and a worker: all in this process, for one test file. */
export async function aConsole(workflows: readonly Workflow[], schedules: readonly Schedule[]) {
  const database = await createTestDatabase();
  Object.assign(process.env, { DATABASE_URL: database.url, HANDRAIL_LOG: "silent" });
  const { blobs } = memoryBlobs();
  await anApi({ ...sampleApp, workflows, schedules, blobs });
  const { answer } = await import("../../api/http/console-api");
  const http = createServer(getRequestListener(answer)).listen(0, "127.0.0.1");
  await new Promise<void>((resolve) => http.once("listening", resolve));
  const db = poolDb(database.pool);
  const worker = await startWorker(
    database.url,
    [
      ...workflows,
      operationWorkflow({ ...aDesk(db), code: codeHere(workflows) }),
      probeWorkflow({ ...aDesk(db), code: codeHere(workflows) }),
    ],
    (pool) => openApp({ services: {}, blobs }, pool),
    { schedules },
  );
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    database,
    db,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await worker.stop(1_000);
      const { shutdown } = await import("../../shutdown");
      await shutdown();
      await database.drop();
    },
  };
}
