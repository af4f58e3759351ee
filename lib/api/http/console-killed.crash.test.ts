import { afterAll, beforeAll, expect, it } from "vitest";
import { workflows } from "../../../demo/workflows/index";
import { schedules } from "../../../demo/workflows/schedules";
import { poolDb } from "../../store/db";
import { syncSchedules } from "../../store/schedules/sync-schedules";
import { registerWorkflows } from "../../store/workers/workers";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildConsole } from "../../testing/processes/crash";
import { aRun } from "../../testing/rows/a-run";
import { oneIn } from "../../testing/sample";

/*
 * The console process dies at the one commit of a request, and the client repeats the request with its key on another
 * process. Each request takes effect once.
 */

let database: TestDatabase;
let survivor: ChildConsole;
beforeAll(async () => {
  database = await createTestDatabase();
  await callWitness(database.pool);
  await registerWorkflows(poolDb(database.pool), workflows);
  await syncSchedules(poolDb(database.pool), schedules);
  survivor = await ChildConsole.spawn(database);
});
afterAll(async () => {
  await survivor.kill();
  await database.drop();
});

interface Asked {
  /** Default: POST. */
  method?: "PUT";
  path: string;
  body: object;
  /** What exists once when it took effect; $1 is the request's key. Default: its row in the audit. */
  done?: string;
}

const reason = "it is time";
const AUDITED = "select from handrail.audit where request_key = $1";
const orderOf = (id: string) => ({ workflow: "account-credit", input: { accountId: id, amountCents: 1 } });
const run = () => aRun(poolDb(database.pool));
const debounced = (key: string, amountCents: number) => ({
  workflow: "account-credit",
  input: { accountId: key, amountCents },
  debounce: { key, delayMs: 3_600_000 },
});

/** The request, with a unique key. */
const ACTS: Record<string, (key: string) => Promise<Asked>> = {
  "a start": async (key) => ({
    path: "/v1/runs",
    body: orderOf(key),
    done: "select from handrail.run where tags ->> 'accountId' = $1",
  }),
  "a start of many": async (key) => ({
    path: "/v1/runs/batch",
    body: { workflow: "account-credit", runs: [1, 2, 3].map((n) => ({ input: { accountId: key, amountCents: n } })) },
    done: "select from handrail.run where tags ->> 'accountId' = $1 group by tags having count(*) = 3",
  }),
  "a debounced start that takes the place of another": async (key) => {
    await survivor.post("/v1/runs", debounced(key, 1));
    return {
      path: "/v1/runs",
      body: debounced(key, 2),
      done: `select from handrail.run where tags ->> 'accountId' = $1 and input::jsonb ->> 'amountCents' = '2'`,
    };
  },
  "an event to a run": async (key) => ({
    path: `/v1/runs/${await run().asleepAfter("create-order")}/events`,
    body: { name: "posted", payload: key, reason },
    done: `select from handrail.event join handrail.audit using (run_id) where request_key = $1`,
  }),
  "an event to a key": async (key) => ({
    path: "/v1/events",
    body: { name: "posted", key, payload: key },
    done: "select from handrail.event where key = $1",
  }),
  "an answer": async () => ({
    path: `/v1/runs/${await run().asking("ask", ["yes", "no"])}/approvals/ask/answer`,
    body: { choice: "yes" },
    done: "select from handrail.event join handrail.audit using (run_id) where request_key = $1",
  }),
  "a pause": async () => ({ path: `/v1/runs/${await run().asleepAfter("create-order")}/pause`, body: { reason } }),
  "a resumption": async () => ({ path: `/v1/runs/${await run().paused()}/resumption`, body: { reason } }),
  "a cancel": async () => ({
    path: `/v1/runs/${await run().asleepAfter("create-order")}/cancellation`,
    body: { reason },
  }),
  "an execution of a plan for one run": async () => {
    const selection = { runIds: [await run().failedBetweenSteps()] };
    const { body } = await survivor.post("/v1/plans", { act: "rerun", params: {}, selection });
    const { id, hash } = body as { id: string; hash: string };
    return {
      path: `/v1/plans/${id}/executions`,
      body: { hash, reason },
      done: `select from handrail.audit join handrail.operation using (plan_id)
        join handrail.operation_item as item on item.operation_id = operation.id
        join handrail.run on run.id = item.run_id and run.generation = 2 where request_key = $1`,
    };
  },
  "a change of limits": async () => ({
    path: "/v1/workflows/profile-image/limits",
    body: { concurrency: 1 + Math.floor(Math.random() * 1_000), rate: null, reason },
  }),
  "a schedule that is made": async (key) => ({
    method: "PUT",
    path: `/v1/schedules/${key}`,
    body: { workflow: "user-sync", everyMs: 86_400_000, input: {}, reason },
    done: `select from handrail.audit join handrail.schedule on schedule.name = audit.schedule
      where request_key = $1 and at_run_time and revision = 0`,
  }),
  "a removal of a schedule": async (key) => {
    const made = { workflow: "user-sync", everyMs: 86_400_000, input: {}, reason };
    await survivor.send("PUT", `/v1/schedules/${key}`, made);
    return {
      path: `/v1/schedules/${key}/removal`,
      body: { reason },
      done: `select from handrail.audit where request_key = $1
        and not exists (select from handrail.schedule where name = audit.schedule)`,
    };
  },
  "a firing by hand": async () => ({
    path: `/v1/schedules/${schedules[0]?.name}/firings`,
    body: { reason },
    done: `select from handrail.audit where request_key = $1
      and (select count(*) from handrail.firing) = (select count(*) from handrail.audit where act = 'schedule_fire')`,
  }),
};

/** Before their commit all requests are alike: nothing was done. */
const BEFORE = [
  "a start",
  "an event to a key",
  "an answer",
  "an execution of a plan for one run",
  "a change of limits",
  "a schedule that is made",
];

const cases = [
  ...BEFORE.map((name) => ["before", name] as const),
  ...Object.keys(ACTS).map((name) => ["after", name] as const),
];

let keys = 0;

it.each(oneIn(3, cases))(
  "a console that is killed %s the commit of %s: a repeated request is done once",
  async (moment, name) => {
    const key = `console-${process.pid}-${++keys}`;
    const { method = "POST", path, body, done = AUDITED } = await (ACTS[name] as (typeof ACTS)[string])(key);
    const times = async () => (await database.pool.query(done, [key])).rowCount;

    const victim = await ChildConsole.spawn(database, { diesAtCommit: moment });
    await expect(victim.send(method, path, body, key)).rejects.toThrow();
    expect(await victim.untilEnded()).toBe("SIGKILL");
    expect(await times()).toBe(moment === "before" ? 0 : 1);

    const ask = () => survivor.send(method, path, body, key);
    const answers = [await ask(), await ask()];
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    expect(answers[1]).toEqual(answers[0]);
    expect(await times()).toBe(1);
    await expectInvariants(database.pool);
  },
);
