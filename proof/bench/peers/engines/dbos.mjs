import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import { PostgresDataSource } from "@dbos-inc/postgres-datasource";
import pg from "pg";
import { CREDIT, credits, family, inFlight, steps } from "./work.mjs";

/**
 * A registered queue, and a client as its documentation has it; 200 runs at a time, the pool and the polls that measured best. Where
 * one process is client and worker, workflows are started in it without a queue. Its data source is the one for Postgres.js: npm has none
 * for `pg`.
 */
const QUEUE = "bench";
const POOL = 14;
const POLL_MS = 50;

const [, , , url] = process.argv;
const { hostname: host, port, pathname, username, password } = new URL(url);
const app = new PostgresDataSource("app", {
  ...{ host, port: Number(port), database: pathname.slice(1), username, password: decodeURIComponent(password) },
  max: 20,
});

const register = (name, code) => DBOS.registerWorkflow(code, { name });
const one = register("steps", (count) => steps(count, (name, body) => DBOS.runStep(async () => body(), { name })));
const workflows = {
  steps: one,
  credits: register("credits", (count) =>
    credits(count, (name, account) =>
      app.runTransaction(async () => void (await app.client.unsafe(CREDIT, [account])), { name }),
    ),
  ),
  family: register("family", async (count) => {
    // Started one after another, so that a replay numbers them the same.
    const handles = new Map();
    for (let n = 0; n < count; n++) handles.set(`child-${n}`, await DBOS.startWorkflow(one)(1));
    return family(count, (name) => handles.get(name).getResult());
  }),
};

export async function open({ role }) {
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
