import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { family, inFlight, steps } from "./work.mjs";

/**
 * A registered queue, and a client as its documentation has it; 200 runs at a time, the pool and the polls that measured best. Where
 * one process is client and worker, workflows are started in it without a queue. Steps that commit with the app's rows are missing: the one
 * data source on npm (for Postgres.js, 4.24.16) does not begin with this SDK.
 */
const QUEUE = "bench";
const POOL = 14;
const POLL_MS = 50;

const register = (name, code) => DBOS.registerWorkflow(code, { name });
const one = register("steps", (count) => steps(count, (name, body) => DBOS.runStep(async () => body(), { name })));
const workflows = {
  steps: one,
  family: register("family", async (count) => {
    // Started one after another, so that a replay numbers them the same.
    const handles = new Map();
    for (let n = 0; n < count; n++) handles.set(`child-${n}`, await DBOS.startWorkflow(one)(1));
    return family(count, (name) => handles.get(name).getResult());
  }),
};

export async function open({ url, role }) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  let client;
  const clientOf = async () => {
    client ??= await DBOSClient.create({ systemDatabaseUrl: url, systemDatabasePoolSize: POOL, logger: silent });
    return client;
  };
  const start = async (kind, count) =>
    role === "both"
      ? DBOS.startWorkflow(workflows[kind])(count)
      : (await clientOf()).enqueue({ workflowName: kind, queueName: QUEUE, appVersion: "1" }, count);
  const launch = async () => {
    DBOS.setConfig({
      name: "bench",
      systemDatabaseUrl: url,
      systemDatabasePoolSize: POOL,
      applicationVersion: "1",
      logLevel: "error",
    });
    await DBOS.launch();
    await DBOS.registerQueue(QUEUE, { workerConcurrency: 200, minPollingIntervalMs: POLL_MS });
  };
  return {
    kinds: Object.keys(workflows),
    async prepare() {
      await launch();
      await DBOS.shutdown();
    },
    work: launch,
    enqueue: (kind, runs, count) => inFlight(20, runs, () => start(kind, count)),
    async runToEnd(kind, count) {
      const handle = await start(kind, count);
      return handle.getResult({ pollingIntervalMs: POLL_MS });
    },
    async ended() {
      const { rows } = await pool.query("select count(*)::int as n from dbos.workflow_status where status = 'SUCCESS'");
      return rows[0].n;
    },
  };
}

const nothing = () => undefined;
const silent = { info: nothing, debug: nothing, warn: nothing, error: nothing };
