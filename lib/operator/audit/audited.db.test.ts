import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPool } from "../../store/database/pools";
import { type Db, poolDb } from "../../store/db";
import { cancel, pause, settleStep } from "../../testing/actions";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { readRun } from "../runs/reads";
import { audited, keepRefusal } from "./audited";
import { verifyAudit } from "./verify-audit";

let database: TestDatabase;
let db: Db;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  const limits = { statementTimeoutMs: 10_000, idleInTransactionMs: 10_000 };
  pool = createPool({ databaseUrl: database.url, name: "desks", max: 4, ...limits });
  db = poolDb(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const aFailedRun = () => aRun(db, { idempotencyKey: undefined }).failedAt("charge-payment");
const rowsOf = async (runId: string) =>
  (
    await database.pool.query(
      `select act, actor, result, code, step, reason, "before", "after", request_key, workflow from handrail.audit
    where run_id = $1 order by id`,
      [runId],
    )
  ).rows;
const reason = "Too many.";

it("an action that a rule refuses records who, what, why, the state before and the refusal, and changes nothing", async () => {
  const runId = await aFailedRun();
  await expect(pause(aDesk(db, { actor: "mia" }), { runId, reason })).rejects.toMatchObject({
    code: "not_allowed",
  });
  expect(await rowsOf(runId)).toEqual([
    {
      ...{ act: "pause", actor: "mia", result: "denied", code: "not_allowed", step: null, reason, request_key: null },
      workflow: "order-fulfilment",
      before: expect.objectContaining({ status: "failed", revision: expect.any(Number) }),
      after: { because: expect.stringMatching(/\w+/) },
    },
  ]);
});

it("an action that cannot be done as requested is recorded as failed", async () => {
  const runId = await aFailedRun();
  const act = settleStep(aDesk(db), { runId, step: "no-such-step", outcome: "skip", reason });
  await expect(act).rejects.toMatchObject({ code: "unknown_step" });
  expect(await rowsOf(runId)).toMatchObject([
    { act: "settle", result: "failed", code: "unknown_step", step: "no-such-step" },
  ]);
});

it("a refused request that is sent again leaves one row", async () => {
  const runId = await aFailedRun();
  const send = () => pause(aDesk(db, { requestKey: `pause-${runId}` }), { runId, reason });
  const answers = await Promise.allSettled([send(), send(), send()]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await rowsOf(runId)).toMatchObject([{ result: "denied" }]);
});

it("a key that is sent again with another request leaves a row for that one, too", async () => {
  const [one, other] = [await aFailedRun(), await aFailedRun()];
  const desk = aDesk(db, { requestKey: `pause-${one}` });
  const requests = [
    { runId: one, reason },
    { runId: other, reason },
    { runId: one, reason: "Far too many." },
    { runId: other, reason },
  ];
  for (const request of requests) await expect(pause(desk, request)).rejects.toMatchObject({ code: "not_allowed" });
  expect((await rowsOf(one)).map((row) => row.reason)).toEqual([reason, "Far too many."]);
  expect(await rowsOf(other)).toMatchObject([{ result: "denied" }]);
  // Neither a run nor a name, but what the operator chose.
  const removal = (destinationId: string) => {
    const attempt = { act: "remove_destination", runId: null, reason: one, details: { destinationId }, before: {} };
    return keepRefusal(desk, attempt, { code: "not_allowed", message: "No." });
  };
  for (const destinationId of ["a", "b", "a"]) await removal(destinationId);
  const { rows } = await database.pool.query(
    `select "after" ->> 'destinationId' as id from handrail.audit where reason = $1 order by id`,
    [one],
  );
  expect(rows.map(({ id }) => id)).toEqual(["a", "b"]);
});

it("rows of ids that were given in capitals are those of the run, and the chain holds", async () => {
  const [refused, done] = [await aFailedRun(), await aRun(db, { idempotencyKey: undefined }).pending()];
  await expect(pause(aDesk(db), { runId: refused.toUpperCase(), reason })).rejects.toMatchObject({
    code: "not_allowed",
  });
  await cancel(aDesk(db), { runId: done.toUpperCase(), reason });
  expect(await rowsOf(refused)).toMatchObject([{ act: "pause", result: "denied" }]);
  expect(await rowsOf(done)).toMatchObject([{ act: "cancel", result: "done" }]);
  expect((await verifyAudit(db, TEST_AUDIT_KEYS)).fault).toBeNull();
});

it("an action on a run that does not exist leaves no row", async () => {
  const before = (await verifyAudit(db, TEST_AUDIT_KEYS)).rows;
  const runId = "01890000-0000-7000-8000-000000000000";
  await expect(cancel(aDesk(db), { runId, reason })).rejects.toMatchObject({ code: "unknown_run" });
  expect((await verifyAudit(db, TEST_AUDIT_KEYS)).rows).toBe(before);
});

it("refusals beyond the budget are counted, not written", async () => {
  const runId = await aFailedRun();
  const desk = aDesk(db, { actor: "a hostile program" });
  for (let n = 0; n < 70; n++) await pause(desk, { runId, reason }).catch(() => undefined);
  expect(await rowsOf(runId)).toHaveLength(60);
  expect((await verifyAudit(db, TEST_AUDIT_KEYS)).fault).toBeNull();
});

it.each([
  ["before its row is written", false],
  ["between its row and the commit", true],
])("an action whose session is killed %s leaves neither the change nor the row", async (_, rowIsWritten) => {
  const runId = await aFailedRun();
  const before = await verifyAudit(db, TEST_AUDIT_KEYS);
  const attempt = { act: "rerun", runId, reason, before: {} };
  const act = audited(aDesk(db), attempt, async (tx, record) => {
    await tx.query({ name: "", text: "update handrail.run set revision = revision + 1 where id = $1" }, [runId]);
    if (rowIsWritten) await record({});
    const [me] = await tx.query<{ pid: number }>({ name: "", text: "select pg_backend_pid() as pid" }, []);
    await database.pool.query("select pg_terminate_backend($1)", [me?.pid]);
    return { status: 200, body: null };
  });
  await expect(act).rejects.toThrow();
  expect(await rowsOf(runId)).toEqual([]);
  expect((await readRun(db, runId)).revision).toBe(0);
  expect(await verifyAudit(db, TEST_AUDIT_KEYS)).toEqual(before);
});

it("a key that is used again after 30 days is a new request", async () => {
  const runId = await aFailedRun();
  const send = () => pause(aDesk(db, { requestKey: `late-${runId}` }), { runId, reason }).catch(() => undefined);
  await send();
  await database.pool.query("alter table handrail.audit disable trigger audit_no_change");
  await database.pool.query("update handrail.audit set at = at - interval '31 days' where run_id = $1", [runId]);
  await database.pool.query("alter table handrail.audit enable trigger audit_no_change");
  await send();
  await send();
  expect(await rowsOf(runId)).toHaveLength(2);
});
