/**
 * A worker process for crash tests: as of lib/worker/main.ts, with a fault. It dies or stops, by a real signal to itself, at
 * the fault point that HANDRAIL_TEST_FAULT names.
 */

import { openApp } from "../../app";
import { codeHere } from "../../engine/workflows/workflow-code";
import { createLogger } from "../../log";
import { deliveryWorkflow } from "../../operator/notices/delivery-workflow";
import { operationWorkflow } from "../../operator/operations/operation-workflow";
import { probeWorkflow } from "../../operator/probes/probe-workflow";
import { send } from "../../outbound/send";
import { knownMigrations } from "../../store/database/known-migrations";
import { Notifier } from "../../store/database/notifier";
import { poolDb } from "../../store/db";
import { flushTraces } from "../../traces/tracing";
import { faultPoint } from "../../worker/fault-points";
import { Worker } from "../../worker/loop/worker";
import { openWorkerPools } from "../../worker/loop/worker-pools";
import { TEST_AUDIT_KEYS } from "../audit-keys";
import sampleApp from "../sample-app";
import type { ChildOrders } from "./crash";
import { strikeAt } from "./strike-at";

const orders = JSON.parse(process.env.HANDRAIL_TEST_ORDERS ?? "{}") as ChildOrders;
const { databaseUrl, directUrl = databaseUrl, leaseMs, concurrency, fault, migrations } = orders;

if (fault) strikeAt(fault);

// The parent is gone, and so is its database.
process.on("disconnect", () => process.exit(1));

const { workflows, schedules = [], transactions, servicesOn, blobs } = await import(orders.workflows);
const pools = { databaseUrl, directUrl, name: "child", leaseMs, engine: 4, app: 4 };
const { appPool, end: _, ...connected } = openWorkerPools(pools);
const db = poolDb(appPool);
const desk = {
  db,
  notifier: new Notifier(db),
  auditKeys: TEST_AUDIT_KEYS,
  code: codeHere(workflows),
  at: faultPoint,
};
const worker = new Worker({
  ...connected,
  directUrl,
  workflows: [
    ...workflows,
    operationWorkflow(desk),
    // So that a test of several reruns takes seconds.
    probeWorkflow({ ...desk, pauseAfter: () => 100 }),
    deliveryWorkflow({
      db,
      auditKeys: TEST_AUDIT_KEYS,
      origin: "https://handrail.example",
      // A test's sandbox is on this machine.
      send: (toSend, signal) => send({ internal: orders.internalReceivers ?? [], mail: null }, toSend, signal),
      at: faultPoint,
    }),
  ],
  schedules,
  auditKeys: TEST_AUDIT_KEYS,
  // A test of another library's transactions brings its own, and one without the sandbox its services.
  app: openApp(
    {
      ...sampleApp,
      ...(transactions && { transactions }),
      ...(servicesOn && { services: servicesOn(databaseUrl) }),
      ...(blobs && { blobs }),
    },
    appPool,
  ),
  concurrency,
  leaseMs,
  name: `child/${process.pid}`,
  log: createLogger("child", "silent"),
  ...(migrations && { migrations: await knownMigrations(migrations) }),
  onDrain: () => void stop(),
  onLost: () => setTimeout(() => process.exit(75), 1_000),
});
async function stop(): Promise<void> {
  await worker.stop();
  await flushTraces();
  process.exit(0);
}
process.on("SIGTERM", stop);
await worker.start();
process.send?.("ready");
