import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Db, poolDb } from "../../store/db";
import { setPayloadKeys } from "../../store/payloads";
import type { RunFilter } from "../../store/reads/run-filter";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { type AskedRuns, walkRuns } from "../../testing/database/walk-runs";
import { aDesk } from "../../testing/desk";
import { payloadKeysOf } from "../../testing/payload-keys";
import { aRun } from "../../testing/rows/a-run";
import { makePlan } from "../operations/make-plan";
import { readRunCounts, readRuns } from "./reads";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

const ids = async (filter: AskedRuns) => (await readRuns(db, filter)).runs.map(({ id }) => id);
const update = (id: string, set: string) => database.pool.query(`update handrail.run set ${set} where id = $1`, [id]);

describe("a filter", () => {
  it("by step finds what failed there, waits there or executes it, and no run that has been there", async () => {
    const workflow = ["filtered"];
    const of = { workflow: "filtered" };
    const failed = await aRun(db, of).failedAt("charge-payment");
    const unknown = await aRun(db, of).waitingUnknown("charge-payment");
    const running = await aRun(db, of).runningAt("charge-payment");
    const completed = await aRun(db, of).completed();
    const asleep = await aRun(db, of).asleepAfter("charge-payment");
    expect(await ids({ workflow, step: ["charge-payment"] })).toEqual([running, unknown, failed]);
    expect(await ids({ workflow, step: ["wait-a-day", "charge-payment"], status: ["waiting"] })).toEqual([
      asleep,
      unknown,
    ]);
    expect(await ids({ workflow, notStep: ["charge-payment"] })).toEqual([asleep, completed]);
    expect((await readRunCounts(db, { workflow, step: ["charge-payment"] }, 10)).byStatus).toMatchObject({
      failed: 1,
      waiting: 1,
      running: 1,
      completed: 0,
    });
  });

  it("by error finds a part of its name, code or message, whatever its case", async () => {
    const workflow = ["errs"];
    const refused = await aRun(db, { workflow: "errs" }).failedAt("charge-payment");
    const other = await aRun(db, { workflow: "errs" }).failedAt("charge-payment");
    await update(
      other,
      `error = '{"name":"GatewayTimeout","message":"after 100 % of, \\"5 s\\"","stack":"econnrefused"}'`,
    );
    const completed = await aRun(db, { workflow: "errs" }).completed();
    for (const error of ["econnrefused", "Connect", "127.0.0.1:3001"])
      expect(await ids({ workflow, error: [error] }), error).toEqual([refused]);
    for (const error of ["gatewaytimeout", '100 % of, "5 s"'])
      expect(await ids({ workflow, error: [error] }), error).toEqual([other]);
    for (const error of ["_", "%", "stack", "x' or true --"])
      expect(await ids({ workflow, error: [error, "no such"] }), error).toEqual(error === "%" ? [other] : []);
    expect(await ids({ error: ["gatewaytimeout"] })).toEqual([other]);
    expect(await ids({ workflow, notError: ["refused"] })).toEqual([completed, other]);
  });

  it("by error finds also what was stored with NUL or half a surrogate pair in it, and what is beside it", async () => {
    const workflow = ["errs-nul"];
    const stored = async (error: string) => {
      const id = await aRun(db, { workflow: "errs-nul" }).failedAt("charge-payment");
      await update(id, `error = '${error}'`);
      return id;
    };
    const nul = await stored('{"name":"Error","message":"Refused \\u0000 twice"}');
    const half = await stored('{"name":"Error","message":"refused once","stack":"at \\ud83d"}');
    const plain = await stored('{"name":"Error","message":"refused"}');
    expect(await ids({ workflow, error: ["refused"] })).toEqual([plain, half, nul]);
    expect(await ids({ workflow, notError: ["twice"] })).toEqual([plain, half]);
  });

  it("by error finds nothing of a workflow with masked fields, for callers who may not see them", async () => {
    await database.pool.query(
      "insert into handrail.workflow (name, version, title, masked) values ('veiled', 1, 'V', '{iban}')",
    );
    const id = await aRun(db, { workflow: "veiled" }).failedAt("charge-payment");
    expect(await ids({ workflow: ["veiled"], error: ["refused"] })).toEqual([id]);
    expect(await ids({ workflow: ["veiled"], error: ["refused"], blind: true })).toEqual([]);
    // What is left out does not reveal it either.
    expect(await ids({ workflow: ["veiled"], notError: ["refused"], blind: true })).toEqual([id]);
  });

  it("by version, and by several values of a tag", async () => {
    const workflow = ["versions"];
    const [first, second] = [
      await aRun(db, { workflow: "versions", tags: { shop: "berlin" } }).completed(),
      await aRun(db, { workflow: "versions", tags: { shop: "paris" } }).completed(),
    ];
    await update(second, "version = 7");
    expect(await ids({ workflow, version: [7] })).toEqual([second]);
    expect(await ids({ workflow, notVersion: [7] })).toEqual([first]);
    expect(await ids({ tags: { shop: ["berlin", "paris"] } })).toEqual([second, first]);
    expect(await ids({ tags: { shop: ["berlin", "rome"] }, notWorkflow: ["versions"] })).toEqual([]);
  });

  it("by version asks for the code that had the run last, as charts and the column do", async () => {
    const workflow = ["taken-up"];
    const [begun, takenUp] = [
      await aRun(db, { workflow: "taken-up" }).completed(),
      await aRun(db, { workflow: "taken-up" }).failedAt("charge-payment"),
    ];
    await update(begun, "version = 6");
    await update(takenUp, "version = 6, code_version = 7");
    expect(await ids({ workflow, version: [7] })).toEqual([takenUp]);
    expect(await ids({ workflow, version: [6] })).toEqual([begun]);
    expect(await ids({ workflow, notVersion: [7] })).toEqual([begun]);
    expect(await ids({ workflow, notVersion: [6] })).toEqual([takenUp]);
    expect((await readRunCounts(db, { workflow, version: [7] }, 10)).byStatus).toMatchObject({
      failed: 1,
      completed: 0,
    });
  });

  it("by problem finds its runs that still need attention, and counts as many by outcome", async () => {
    const made = () => aRun(db, { workflow: "held" });
    const held = [
      await made().failedAt("charge-payment"),
      await made().failedAt("charge-payment"),
      await made().waitingUnknown("charge-payment"),
      await made().cancelledWithUnknown("charge-payment"),
      await made().failedToCompensate(),
    ];
    const doubtful = await made().completed();
    await update(doubtful, "attention = 'outcome_unknown'");
    const [well, left] = [await made().completed(), await made().failedAt("charge-payment")];
    const problem = "01975555-0000-7000-8000-00000000beef";
    await database.pool.query(
      `insert into handrail.problem_run (run_id, problem_id, since, left_at)
        select id, $2, now(), case when id = $3 then now() end from unnest($1::uuid[]) as id`,
      [[...held, doubtful, well, left], problem, left],
    );
    expect(await ids({ problem })).toEqual([...held, doubtful].reverse());
    const { byStatus, byAttention, partial } = await readRunCounts(db, { problem }, 10);
    expect(byStatus).toMatchObject({ failed: 2, waiting: 1, cancelled: 1, completed: 1, compensating: 1, pending: 0 });
    expect(byAttention).toEqual({ failed: 2, outcome_unknown: 3, compensation_owed: 1, approval: 0 });
    expect(partial).toEqual({ byStatus: [], byAttention: [] });
    const alike = await readRunCounts(db, { problem, notVersion: [99] }, 10);
    expect([alike.byStatus, alike.byAttention]).toEqual([byStatus, byAttention]);
    expect((await readRunCounts(db, { problem, status: ["failed"] }, 10)).byAttention).toMatchObject({
      failed: 2,
      outcome_unknown: 0,
    });
  });

  it("by how long it took, until its end or until now", async () => {
    const workflow = ["took"];
    const [quick, slow, still] = [
      await aRun(db, { workflow: "took" }).completed(),
      await aRun(db, { workflow: "took" }).completed(),
      await aRun(db, { workflow: "took" }).runningAt("charge-payment"),
    ];
    await update(quick, "started_at = finished_at - interval '1 second'");
    await update(slow, "started_at = finished_at - interval '6 minutes'");
    await update(still, "started_at = clock_timestamp() - interval '1 hour'");
    expect(await ids({ workflow, tookOverMs: 300_000 })).toEqual([still, slow]);
    expect(await ids({ workflow, tookUnderMs: 300_000 })).toEqual([quick]);
    expect(await ids({ workflow, tookOverMs: 1_000, tookUnderMs: 360_000 })).toEqual([quick]);
  });

  it("by how long ago it began", async () => {
    const id = await aRun(db, { workflow: "ago" }).completed();
    expect(await ids({ workflow: ["ago"], createdAfter: "1h" })).toEqual([id]);
    expect(await ids({ workflow: ["ago"], createdBefore: "1h" })).toEqual([]);
    await expect(ids({ createdAfter: "tomorrow" })).rejects.toThrow('"tomorrow" is no time');
  });

  it("is the plan: every field finds the same runs for both", async () => {
    const filter: RunFilter = { workflow: ["filtered"], step: ["charge-payment"], createdAfter: "1h", notVersion: [9] };
    const plan = await makePlan(aDesk(db), { act: "pause", params: {} }, { filter });
    expect(plan.items.map(({ runId }) => runId)).toEqual(await ids(filter));
  });
});

describe("the order", () => {
  it("may be the oldest first, or the latest end first among those that ended badly", async () => {
    const workflow = ["order"];
    const made = [];
    for (let index = 0; index < 5; index++) made.push(await aRun(db, { workflow: "order" }).failedAt("charge-payment"));
    const [a, b, c, d, e] = made as [string, string, string, string, string];
    expect((await walkRuns(db, { workflow, sort: "oldest", limit: 2 })).seen).toEqual(made);
    await update(b, "finished_at = now() + interval '1 hour'");
    // Ends at one instant are ordered by their ids, and none is skipped between two pages.
    for (const id of [a, c, d]) await update(id, "finished_at = '2026-01-01T00:00:00.123456Z'");
    const byEnd = await walkRuns(db, { workflow, status: ["failed"], sort: "ended", limit: 2 });
    expect(byEnd.seen).toEqual([b, e, d, c, a]);
    await expect(ids({ workflow, sort: "ended" })).rejects.toThrow("Filter by these statuses");
    const { nextCursor } = await readRuns(db, { workflow, limit: 2 });
    await expect(readRuns(db, { workflow, limit: 2, sort: "oldest", cursor: nextCursor ?? "" })).rejects.toThrow(
      "cursor",
    );
  });
});

describe("a question over steps", () => {
  const workflow = ["asked"];
  const of = { workflow: "asked" };
  const asked = (...where: string[]) => ids({ workflow, where });
  let failed: string;
  let completed: string;
  let asleep: string;
  beforeAll(async () => {
    failed = await aRun(db, of).failedAt("charge-payment");
    completed = await aRun(db, of).completed();
    asleep = await aRun(db, of).asleepAfter("charge-payment");
  });

  it("finds what a run did and did not, as it stands after reruns", async () => {
    expect(await asked("did:charge-payment")).toEqual([asleep, completed]);
    expect(await asked("-did:charge-payment")).toEqual([failed]);
    expect(await asked("did:create-order", "-did:charge-payment")).toEqual([failed]);
    expect(await asked("did:no-such-step")).toEqual([]);
    await database.pool.query(
      "update handrail.step set superseded_by = 2, next_key_generation = 1 where run_id = $1 and name = 'charge-payment'",
      [completed],
    );
    expect(await asked("did:charge-payment")).toEqual([asleep]);
    await database.pool.query(
      "update handrail.step set superseded_by = null, next_key_generation = null where run_id = $1 and name = 'charge-payment'",
      [completed],
    );
  });

  it("finds failed attempts, and how long a step took with all its attempts", async () => {
    const set = (id: string, values: string) =>
      database.pool.query(`update handrail.step set ${values} where run_id = $1 and name = 'charge-payment'`, [id]);
    await set(failed, "failures = 4");
    await set(completed, "failures = 1");
    expect(await asked("failed-attempts:>3")).toEqual([failed]);
    expect(await asked("failed-attempts:>4")).toEqual([]);
    await set(completed, "started_at = now() - interval '3 s', finished_at = now()");
    await set(asleep, "started_at = now() - interval '1 s', finished_at = now()");
    expect(await asked("took.charge-payment:>2s", "did:charge-payment")).toEqual([completed]);
    await database.pool.query(
      `insert into handrail.attempt (run_id, step, generation, number, status, error, started_at, finished_at)
       select run_id, name, generation, 1, 'failed', '{}', now() - interval '9 s', now() - interval '8 s' from handrail.step
       where run_id = $1 and name = 'charge-payment' on conflict (run_id, step, generation, number) do update set started_at = excluded.started_at`,
      [asleep],
    );
    expect(await asked("took.charge-payment:>8s", "did:charge-payment")).toEqual([asleep]);
    expect(await asked("took.charge-payment:<8s", "did:charge-payment")).toEqual([completed]);
  });

  it("compares values of the input and the output, and passes over what is none", async () => {
    await update(
      failed,
      `input = '{"amountCents": 10000, "to": {"city": "New York"}, "lines": [{"sku": "a"}], "vip": true}'`,
    );
    await update(completed, `input = '{"amountCents": 10001, "to": null}', output = '{"ok": false}'`);
    await update(asleep, `input = '{"amountCents": "99999", "to": {"city": "${"x".repeat(20_000)}"}}'`);
    expect(await asked("input.amountCents:>10000")).toEqual([completed]);
    expect(await asked("input.amountCents:>=10000", "input.amountCents:<10000.5")).toEqual([failed]);
    expect(await asked("input.amountCents:10000")).toEqual([failed]);
    expect(await asked("input.to.city:New York")).toEqual([failed]);
    expect(await asked("input.lines.0.sku:a", "input.vip:true")).toEqual([failed]);
    expect(await asked("output.ok:false")).toEqual([completed]);
    for (const hostile of ["input.a':1", "input.a:x' or true --", "input.a.b.c:null"])
      expect(await asked(hostile), hostile).toEqual([]);
  });

  it("is the same in numbers and plans", async () => {
    const where = ["did:charge-payment"];
    const counts = await readRunCounts(db, { workflow, where }, 10);
    expect(counts.byStatus).toMatchObject({ completed: 1, waiting: 1, failed: 0 });
    const { items } = await makePlan(aDesk(db), { act: "pause", params: {} }, { filter: { workflow, where } });
    expect(items.map(({ runId }) => runId)).toEqual([asleep, completed]);
  });

  it("about values is refused where they are sealed, and blind callers learn nothing from it", async () => {
    await expect(asked("input.a:>x")).rejects.toThrow("“x” is not a number");
    const wheres = ["input.amountCents:10000", "output.ok:false"];
    for (const where of wheres) expect(await ids({ workflow, where: [where], blind: true })).toHaveLength(1);
    await update(failed, `input = '{"amountCents": 10000, "password": "hunter22", "note": "hunter22"}'`);
    for (const where of ["input.note:hunter22", "input.password:hunter22", "input.amountCents:10000"])
      expect(await ids({ workflow, where: [where], blind: true }), where).toEqual([]);
    await database.pool.query(
      "insert into handrail.workflow (name, version, title, masked) values ('asked', 1, 'Asked', '{email}')",
    );
    for (const where of wheres) expect(await ids({ workflow, where: [where], blind: true }), where).toEqual([]);
    setPayloadKeys(payloadKeysOf("one"));
    try {
      await expect(asked("input.amountCents:10000")).rejects.toThrow("No filter reads inputs here: they are sealed");
      expect(await asked("did:charge-payment")).toHaveLength(2);
    } finally {
      setPayloadKeys(null);
    }
  });
});
