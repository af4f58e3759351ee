import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { inFlight, steps } from "./work.mjs";

/** A registered queue, and a client as its documentation has it; 200 runs at a time, the pool and the polls that measured best. */
const QUEUE = "bench";
const POOL = 14;
const POLL_MS = 50;

const workflow = DBOS.registerWorkflow(
  (count) => steps(count, (name, body) => DBOS.runStep(async () => body(), { name })),
  {
    name: "steps",
  },
);

export async function open({ url }) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  let client;
  const clientOf = async () => {
    client ??= await DBOSClient.create({ systemDatabaseUrl: url, systemDatabasePoolSize: POOL, logger: silent });
    return client;
  };
  const start = async (count) =>
    (await clientOf()).enqueue({ workflowName: "steps", queueName: QUEUE, appVersion: "1" }, count);
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
    async prepare() {
      await launch();
      await DBOS.shutdown();
    },
    work: launch,
    enqueue: (runs, count) => inFlight(20, runs, () => start(count)),
    async runToEnd(count) {
      const handle = await start(count);
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

export { workflow };
