import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { USUAL_SCHEMA } from "../engine/schema-name";
import { createHandrail, defineEvent, defineWorkflow, type Handrail, type PgTransaction } from "../library/handrail";
import { anApi } from "../testing/api/api";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { ChildWorker } from "../testing/processes/crash";
import { until } from "../testing/until";
import { createLedger, LEDGER_WORKFLOWS } from "../testing/workflows/ledger";
import { threeLines } from "../testing/workflows/ledger-workflows";
import { examine } from "./database/doctor";
import { poolDb } from "./db";
import { LOCK, migrate } from "./migrations/migrate";
import { setSchema } from "./schema";

/** In this process. Another process works with the usual schema on the same database. */
const SCHEMA = "Work flows";

const paid = defineEvent({ name: "paid", payload: z.object({ by: z.string() }) });
const parcel = defineWorkflow({ name: "parcel", input: z.object({ id: z.string() }) }, async (ctx, { id }) => {
  const insert = "insert into parcel (id) values ($1)";
  await ctx.transaction("row", async (tx) => (await tx.query(insert, [id])).rowCount, { client: "pg" });
  await ctx.sleep("a moment", 50);
  const { by } = await ctx.waitForEvent("paid", { event: paid, key: id });
  await ctx.step("notify", () => by, { compensate: () => undefined });
  if (by === "nobody") await ctx.step("fail", () => Promise.reject(new Error("unpaid")), { retry: { maxAttempts: 1 } });
  return `${id} of ${by}`;
});

let database: TestDatabase;
let handrail: Handrail<PgTransaction>;
let api: Awaited<ReturnType<typeof anApi>>;

beforeAll(async () => {
  database = await createTestDatabase();
  // A statement that said the usual name would find nothing there.
  await database.pool.query("alter schema handrail rename to put_aside");
  await database.pool.query("create table parcel (id text primary key)");
  setSchema(SCHEMA);
  expect((await migrate(database.url)).applied).toContain("20261122000000_baseline");
  Object.assign(process.env, { HANDRAIL_SCHEMA: SCHEMA, DATABASE_URL: database.url });
  api = await anApi({ workflows: [parcel] });
  handrail = createHandrail({ workflows: [parcel] });
  await handrail.worker({ concurrency: 5 }).start();
});
afterAll(async () => {
  await handrail.close();
  const { shutdown } = await import("../shutdown");
  await shutdown();
  setSchema(USUAL_SCHEMA);
  await database.drop();
});

const rows = async (sql: string, values: unknown[] = []) => (await database.pool.query(sql, values)).rows;
const result = (id: string) => handrail.run(id).result({ timeoutMs: 30_000 });

describe("an installation in another schema", () => {
  it("has its migrations there, and applies none again", async () => {
    expect(await migrate(database.url)).toEqual({ applied: [] });
    await rows("drop schema demo cascade");
    const made = await rows(
      "select distinct schemaname as name from pg_tables where schemaname !~ '^pg_|^inf' order by 1",
    );
    expect(made).toEqual([{ name: SCHEMA }, { name: "public" }, { name: "put_aside" }]);
  });

  it("brings runs to their end that the library, the console and SQL start, in transactions, by events and timers", async () => {
    const byLibrary = await handrail.start(parcel, { id: "A" }, { idempotencyKey: "a" });
    const { body: byConsole } = await api.ask("POST", "/v1/runs", { body: { workflow: "parcel", input: { id: "B" } } });
    const [bySql] = await rows(`select "Work flows".start_run('parcel', '{"id": "C"}') as id`);
    await handrail.send(paid, { by: "Ada" }, { key: "A" });
    await api.ask("POST", "/v1/events", { body: { name: "paid", key: "B", payload: { by: "Grace" } } });
    await rows(`select "Work flows".send_event('paid', '{"by": "Hedy"}', key => 'C')`);
    expect(await byLibrary.result({ timeoutMs: 30_000 })).toEqual({ output: "A of Ada" });
    expect(await result(byConsole.id)).toEqual({ output: "B of Grace" });
    expect(await result(bySql.id)).toEqual({ output: "C of Hedy" });
    expect(await rows("select id from parcel order by id")).toEqual([{ id: "A" }, { id: "B" }, { id: "C" }]);
  });

  it("carries out operations on many runs, and keeps what was done", async () => {
    const ids = await Promise.all(["X", "Y"].map(async (id) => (await handrail.start(parcel, { id })).id));
    for (const key of ["X", "Y"]) await handrail.send(paid, { by: "nobody" }, { key });
    for (const id of ids) await expect(result(id)).rejects.toThrow("unpaid");
    const body = { act: "rerun", params: {}, selection: { runIds: ids } };
    const { body: plan } = await api.ask("POST", "/v1/plans", { body });
    const execution = { hash: plan.hash, reason: "paid meanwhile", canary: 0, ratePerSecond: 1_000 };
    const { body: operation } = await api.ask("POST", `/v1/plans/${plan.id}/executions`, { body: execution });
    await until("The end of the operation", async () => {
      const { body } = await api.ask("GET", `/v1/operations/${operation.id}`);
      return body.finishedAt !== null;
    });
    const audited = await rows(`select act, count(*)::int from "Work flows".audit group by act order by act`);
    expect(audited).toContainEqual({ act: "rerun", count: 2 });
    for (const id of ids) await expect(result(id)).rejects.toThrow("unpaid");
  });

  it("answers every question of the console that needs no id", async () => {
    const { ENDPOINTS } = await import("../api/all-endpoints");
    const paths = ENDPOINTS.filter(({ method, path }) => method === "GET" && !path.includes("{")).map(
      ({ path }) => path,
    );
    const failed: string[] = [];
    for (const path of paths.filter((path) => !/stream|changes/.test(path))) {
      const response = await api.send("GET", path);
      if (response.status >= 500) failed.push(`${path}: ${await response.text()}`);
      await response.body?.cancel().catch(() => undefined);
    }
    expect(failed).toEqual([]);
    expect(paths.length).toBeGreaterThan(20);
  });

  it("violates no rule of the doctor", async () => {
    const findings = await examine(poolDb(database.pool));
    expect(findings.filter(({ hits, unanswered }) => hits.length > 0 || unanswered)).toEqual([]);
  });
});

describe("two installations on one database", () => {
  it("migrate under locks of their own", async () => {
    const other = await database.pool.connect();
    await other.query(`select pg_advisory_lock(${LOCK})`); // as it is for the usual schema
    expect(await migrate(database.url)).toEqual({ applied: [] });
    await other.query(`select pg_advisory_unlock(${LOCK})`);
    other.release();
  });

  it("work beside each other, and hear nothing of each other", async () => {
    await rows("alter schema put_aside rename to handrail");
    await createLedger(database.pool);
    const listener = await database.pool.connect();
    onTestFinished(() => listener.release(true));
    const heard: { channel: string; payload?: string | undefined }[] = [];
    listener.on("notification", (note) => heard.push(note));
    for (const channel of ["handrail_work", "handrail_change", `${SCHEMA}_work`, `${SCHEMA}_change`])
      await listener.query(`listen "${channel}"`);

    const mine = await handrail.start(parcel, { id: "D" });
    await handrail.send(paid, { by: "Joan" }, { key: "D" });
    expect(await mine.result({ timeoutMs: 30_000 })).toEqual({ output: "D of Joan" });
    await until("A note of this installation", () => heard.length > 0);
    expect(heard.filter(({ channel }) => !channel.startsWith(SCHEMA))).toEqual([]);
    const before = await rows('select count(*)::int as runs, max(revision)::int as revision from "Work flows".run');

    const child = ChildWorker.spawn(database, { workflows: LEDGER_WORKFLOWS, env: { HANDRAIL_SCHEMA: "" } });
    await child.untilReady();
    heard.length = 0;
    const [theirs] = await rows(`select handrail.start_run('${threeLines.name}', '{"n": 1}') as id`);
    const ended = "select from handrail.run where id = $1 and status = 'completed'";
    await until("The end of the other run", async () => (await rows(ended, [theirs.id])).length > 0);
    await child.kill();
    expect(heard.map(({ channel }) => channel)).toContain("handrail_work");
    // What failed above may still be folded into its problem, with a note of its runs.
    const ours = heard.filter(({ channel }) => channel.startsWith(SCHEMA));
    expect(
      ours.filter(({ channel, payload }) => channel !== `${SCHEMA}_change` || payload?.includes(theirs.id)),
    ).toEqual([]);
    expect(await rows('select count(*)::int as runs, max(revision)::int as revision from "Work flows".run')).toEqual(
      before,
    );
    expect(await rows("select workflow from handrail.run")).toEqual([{ workflow: threeLines.name }]);
    expect(await rows('select name from "Work flows".worker where stopped_at is null')).toHaveLength(1);
  });
});
