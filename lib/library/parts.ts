import { type App, defineConfig, type HandrailConfig, openTransactions } from "../app";
import { loadAuditKeys } from "../audit-keys";
import { Blobs } from "../blobs/blobs";
import { withStoredInput } from "../blobs/stored-input";
import { systemCaller } from "../engine/audit/audit";
import { type EventDefinition, type EventOptions, runIdOf } from "../engine/events/event";
import { prepareEvent } from "../engine/events/prepare-event";
import { prepareStart, type RunToStart, type StartOptions } from "../engine/runs/start";
import { givenTrace, type TraceOptions } from "../engine/traces/trace-context";
import { checkIsWorkflow } from "../engine/workflows/given-workflow";
import type { Workflow } from "../engine/workflows/workflow";
import { codeHere, type WorkflowCode } from "../engine/workflows/workflow-code";
import { addressesOf, readEnvOfApp } from "../env-of-app";
import { createLogger } from "../log";
import { carryOut } from "../operator/actions/command";
import { ChangeFeed } from "../operator/changes/change-feed";
import { EndWaits } from "../operator/changes/end-waits";
import type { Desk } from "../operator/desk";
import { type Page, readRun, readRuns } from "../operator/runs/reads";
import { openWorkflowCode } from "../remote/workflow-code";
import type { Drives } from "../serverless";
import { Notifier } from "../store/database/notifier";
import { createPool } from "../store/database/pools";
import { aboutPooler } from "../store/database/session";
import { type Db, poolDb } from "../store/db";
import { sendEvent } from "../store/events/send-event";
import { migrate } from "../store/migrations/migrate";
import { setPayloadKeys } from "../store/payloads";
import type { RunFilter } from "../store/reads/run-filter";
import { insertRunOnce } from "../store/runs/start-run";
import { setSchema } from "../store/schema";
import { tracedSend, tracedStarts } from "../traces/tracing";
import type { DriveReport } from "../worker/loop/drive";
import { schedulesOf } from "./app-schedules";
import type { WorkerCalls, WorkerSetting, WorkerSettings } from "./open-worker";
import { waitsOf } from "./result";
import type { SendHow, StartHow } from "./run-handle";
import { WorkerMetrics } from "./worker-metrics";

/** As in the console: a start or a read that takes longer needs a better query, or should be tried again. */
const LIMITS = { statementTimeoutMs: 5_000, idleInTransactionMs: 5_000 };
const CONNECTIONS = 5;

/** What an app holds open for its starts, reads and waits, and what it does with it. */
export type Parts<Tx> = ReturnType<typeof openParts<Tx>>;

/** Of those, what an HTTP API answers with. */
export interface Serving extends WorkerSetting {
  /** Of the app's workflows, and of those that only workers have. */
  code: WorkflowCode;
  db: Db;
  notifier: Notifier;
  blobs: Blobs;
  feed: ChangeFeed;
  ends: EndWaits;
  /** For actions, each of which leaves a row in the audit log. */
  desk(): Desk;
  drive(order: { maxMs: number }): Promise<DriveReport>;
}

/** Connects with the first statement, and listens with the first wait for an end. @throws EnvError; HandrailError */
export function openParts<Tx>(config: HandrailConfig<Tx>) {
  const env = readEnvOfApp(config);
  const addresses = addressesOf(config, env);
  setSchema(env.schema);
  setPayloadKeys(env.payloadKeys);
  const { name = "app", workflows, log = createLogger("handrail", env.logLevel) } = defineConfig(config);
  const connection = { databaseUrl: addresses.databaseUrl, name: `handrail ${name}`, ...LIMITS };
  const pool = createPool({
    ...connection,
    max: CONNECTIONS,
    boundedReads: true,
    onPooled: (session) => log[session.limited ? "info" : "warn"](aboutPooler(session)),
  });
  const db = poolDb(pool);
  const [notifier, blobs] = [new Notifier(db), new Blobs(db, config.blobs)];
  const feed = new ChangeFeed(addresses.directUrl, (message) => log.warn(message));
  const ends = new EndWaits(db, feed);
  const { code, close: closeCode } = openWorkflowCode({ workflows, db, feed, connection });
  const { join } = openTransactions(config, pool);
  const desk = (): Desk => ({ db, notifier, by: systemCaller(name), auditKeys: loadAuditKeys(env), request: null });
  const setting = { env, addresses, log };
  const [metrics, drives] = [new WorkerMetrics(), drivesOf(config, setting)];
  const dbOf = (tx: Tx | undefined) => (tx === undefined ? db : join(tx));
  return {
    ...setting,
    code,
    db,
    notifier,
    blobs,
    feed,
    ends,
    desk,
    drive: drives.drive,
    async start(workflow: Workflow, input: unknown, { tx, ...options }: StartHow<Tx>) {
      const started = await startIn({ db: dbOf(tx), blobs, code }, workflow, input, options);
      if (tx === undefined) {
        notifier.change([started.id]);
        notifier.work();
      }
      return started;
    },
    async send(event: string | EventDefinition, payload: unknown, { tx, ...address }: SendHow<Tx>) {
      if (typeof event === "string") await codeHere(workflows).checkPayload(event, payload);
      const sent = await sendIn(dbOf(tx), event, payload, address);
      if (tx === undefined) {
        if (address.runId !== undefined) notifier.change([runIdOf(address.runId)]);
        notifier.work();
      }
      return sent;
    },
    list: ({ limit, cursor, ...filter }: RunFilter & Page) => readRuns(db, { ...filter, limit, cursor }),
    status: (runId: string) => readRun(db, runId),
    ...waitsOf({ db, ends, blobs }),
    schedules: schedulesOf(desk, code),
    cancel: (runId: string, reason: string) =>
      carryOut({ ...desk(), code }, { act: "cancel", runId, params: {}, reason }),
    migrate: () => migrate(addresses.directUrl, { say: (line) => log.info(line) }),
    // An app that only starts runs does not load the code that runs them.
    worker: async (settings: WorkerSettings, calls: WorkerCalls) =>
      (await import("./open-worker")).openWorker(config, { ...setting, metrics }, settings, calls),
    metrics: () => metrics.text(),
    async close() {
      await drives.close();
      await feed.close();
      await Promise.all([notifier.close(), closeCode()]);
      await pool.end();
    },
  };
}

async function startIn(
  { db, blobs, code }: { db: Db; blobs: Blobs; code: WorkflowCode },
  workflow: Workflow,
  input: unknown,
  how: StartOptions & TraceOptions,
) {
  checkIsWorkflow(workflow, "What `start` is given");
  const named = givenTrace(how);
  const isGiven = (how.version ?? workflow.version) === workflow.version;
  const { bounds } = blobs;
  const start = isGiven
    ? await prepareStart(workflow, input, how, undefined, bounds)
    : await code.prepareStart(workflow.name, { input, options: how }, undefined, bounds);
  const prepared = await withStoredInput(blobs, start);
  const insert = ([run = prepared]: RunToStart[]) => insertRunOnce(db, run);
  return tracedStarts([prepared], { named }, insert, (run) => [run]);
}

async function sendIn(db: Db, event: string | EventDefinition, payload: unknown, how: EventOptions & TraceOptions) {
  const named = givenTrace(how);
  const prepared = await prepareEvent(event, payload, how);
  return tracedSend(prepared.name, { named }, (trace) => sendEvent(db, { ...prepared, trace }));
}

/** An app that never drives does not load the code for it. */
function drivesOf(app: App, setting: WorkerSetting) {
  let opened: Promise<Drives> | undefined;
  const open = async () => (await import("../serverless")).openDrives(app, setting);
  return {
    async drive(order: { maxMs: number }): Promise<DriveReport> {
      opened ??= open();
      return (await opened).drive(order);
    },
    close: async () => (await opened)?.close(),
  };
}
