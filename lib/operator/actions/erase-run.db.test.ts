import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ERASED_VALUE } from "../../engine/privacy/erased";
import { prepareStart } from "../../engine/runs/start";
import { decodeValue } from "../../engine/values/codec";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { poolDb } from "../../store/db";
import { PARTS_OF_A_RUN } from "../../store/runs/retention";
import { insertRunOnce } from "../../store/runs/start-run";
import { cancel, erase, rerun } from "../../testing/actions";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { mentions } from "../../testing/database/mentions";
import { aDesk } from "../../testing/desk";
import { withPayloadKeys } from "../../testing/payload-keys";
import { aRun } from "../../testing/rows/a-run";
import { verifyAudit } from "../audit/verify-audit";
import { executePlan } from "../operations/execute-plan";
import { makePlan } from "../operations/make-plan";
import { readRun } from "../runs/reads";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
const engine = {
  get db() {
    return poolDb(database.pool);
  },
  rows: async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows,
};
const seal = withPayloadKeys();
const reason = "request 2026-114";
const code = codeHere([]);
const SUBJECT = "ada@example.com";

const store = (given: Parameters<typeof aRun>[1] = {}) =>
  aRun(engine.db, { id: uuidv7(), tags: { email: SUBJECT }, input: JSON.stringify({ email: SUBJECT }), ...given });
const refusal = (runId: string) =>
  erase(aDesk(engine.db), { runId, reason }).catch(({ code, message }) => `${code}: ${message}`);
const childOf = (parent: string, child: string, step = "create-order") =>
  engine.rows("update handrail.run set parent_run_id = $1, parent_step = $3, parent_key_generation = 1 where id = $2", [
    parent,
    child,
    step,
  ]);

/** Columns of a run's rows with text: what is erased, and what stays by design. */
const ERASED = [
  ...["run.input", "run.output", "run.error", "run.tags", "run.headers", "run.run_title"],
  ...["step.output", "step.error", "step.doubt", "step.reference", "step.instructions"],
  ...["attempt.error", "log.message", "log.data", "progress.note", "trouble.error", "event.payload"],
  ...["compensation.error", "compensation.note", "compensation.instructions", "compensation.reference"],
  ...[
    "compensation.evidence",
    "event_wait.question",
    "event_wait.data",
    "event_wait.choices",
    "event_wait.filter",
    "run_tag.name",
    "run_tag.value",
  ],
  ...["span.name", "span.detail", "span.trace_id", "span.span_id", "span.parent_span_id", "span.kind", "span.service"],
  ...["span.status"],
];
const KEPT = [
  ...["run.workflow", "run.status", "run.claim_proof", "run.waiting_kind", "run.waiting_step", "run.attention"],
  ...["run.failed_step", "run.idempotency_key", "run.key_owner", "run.begun_by_event", "run.schedule"],
  ...[
    "run.parent_step",
    "run.page_of",
    "run.queue_key",
    "run.debounce_key",
    "run.singleton_key",
    "run.trace",
    "run.claim_trace",
  ],
  ...["step.name", "step.kind", "step.effect", "step.status", "step.compensation_mode", "attempt.step"],
  ...["attempt.status", "log.key", "log.during", "log.step", "log.level", "log.trace_id", "trouble.kind"],
  ...["trouble.workflow", "trouble.step", "event.name", "event.id", "event.key", "event.sent_by"],
  ...["event.taken_step", "event.trace", "compensation.step", "compensation.mode", "compensation.status"],
  ...["compensation.by", "compensation.assignee", "compensation.assigned_by", "event_wait.step", "event_wait.event"],
  ...["event_wait.key", "drift.gone", "drift.next", "snooze.step", "snooze.seen"],
  ...["run_end.workflow", "run_end.status", "permit.step", "permit.limit_name", "permit.limit_key"],
  ...["blob.key", "blob.place", "blob.sealed_with", "blob.error", "blob_wait.error"],
  ...["permit_wait.step", "permit_wait.limit_name", "permit_wait.limit_key"],
];

/** Every part of a run that may hold something of the subject does. */
async function fill(id: string): Promise<void> {
  const text = `'${SUBJECT}'`;
  const json = `'{"name":"Error","message":"${SUBJECT}"}'`;
  const of = `where run_id = '${id}'`;
  for (const statement of [
    `update handrail.run set output = ${json}, error = ${json}, run_title = ${text}, headers = '{"user": "${SUBJECT}"}' where id = '${id}'`,
    `update handrail.step set output = ${json}, error = ${json}, doubt = ${json}, reference = ${text}, instructions = ${text} ${of}`,
    `insert into handrail.attempt (run_id, step, generation, number, status, error, started_at) values ('${id}', 'create-order', 1, 1, 'failed', ${json}, now())`,
    `insert into handrail.log (run_id, key, during, message, data, at) values ('${id}', 'k', 'code', ${text}, ${json}, now())`,
    `insert into handrail.progress (run_id, done, total, note) values ('${id}', 1, 2, ${text})`,
    `insert into handrail.event (name, id, run_id, payload) values ('paid', '${id}', '${id}', ${json})`,
    `insert into handrail.event (name, id, key, payload, taken_by, taken_step, taken_generation, taken_at) values ('paid', '${id}', 'k', ${json}, '${id}', 's', 1, now())`,
    `insert into handrail.event_wait (run_id, step, generation, event, filter, question, choices, data) values ('${id}', 's', 1, 'e', ${json}, ${text}, '["yes", "call ${SUBJECT}"]', ${json})`,
    `insert into handrail.compensation (run_id, step, generation, mode, status, position, by, note, reference, evidence, instructions, error, finished_at)
       values ('${id}', 'create-order', 1, 'manual', 'waived', 1, 'mia', ${text}, ${text}, 'https://x.org/${SUBJECT}', ${text}, ${json}, now())`,
    `insert into handrail.span (trace_id, span_id, run_id, name, kind, service, status, started_at, ended_at, detail)
       values ('${id}', 'a', '${id}', ${text}, 'client', 'shop', 'ok', now(), now(), ${json})`,
    `insert into handrail.trouble (run_id, kind, workflow, version, error) values ('${id}', 'failed', 'w', 1, ${json})`,
    `insert into handrail.problem (id, kind, workflow, error_name, pattern, first_at, last_at, example_run_id, example_version, example_error)
       values (gen_random_uuid(), 'failed', 'w', 'Error', 'p', now(), now(), '${id}', 1, ${json})`,
  ])
    await engine.rows(statement);
}

describe("an erasure", () => {
  it("leaves nothing of the subject in any table, and the run's structure, keys and audit log as they were", async () => {
    const [root, child] = [
      await store({ idempotencyKey: "order-17" }).completed(),
      await store().failedAt("charge-payment"),
    ];
    await childOf(root, child);
    await fill(root);
    await fill(child);
    const shape = () =>
      engine.rows(
        "select name, status, position, attempt, key_generation, started_at from handrail.step where run_id = any ($1) order by run_id, position",
        [[root, child]],
      );
    const before = await shape();
    expect((await mentions(engine.db, SUBJECT)).length).toBeGreaterThan(10);
    const run = await erase(aDesk(engine.db, { actor: "mia" }), { runId: root, reason });
    expect(await mentions(engine.db, SUBJECT)).toEqual([]);
    expect(await shape()).toEqual(before);
    expect(run).toMatchObject({
      status: "completed",
      input: { $type: "erased" },
      tags: {},
      idempotencyKey: "order-17",
      erasedAt: expect.any(String),
      audit: [{ act: "erase", actor: "mia", reason, result: "done", after: { runs: 2 } }],
    });
    expect((await readRun(engine.db, child)).audit).toMatchObject([{ act: "erase", after: { erased: true } }]);
    expect(await engine.rows("select block from handrail.log_gone")).not.toEqual([]);
    expect(await verifyAudit(engine.db, TEST_AUDIT_KEYS)).toMatchObject({ fault: null });
  });

  it("knows every column with text of a run's rows: erased, or kept by design", async () => {
    const columns = await engine.rows(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'handrail' and table_name = any ($1) and data_type in ('text', 'jsonb', 'json', 'ARRAY', 'bytea')`,
      [["run", "event", "trouble", ...PARTS_OF_A_RUN]],
    );
    expect(columns.map(({ name }) => name).filter((name) => !ERASED.includes(name) && !KEPT.includes(name))).toEqual(
      [],
    );
  });

  it("is refused for live runs and what waits for people, with what to do first", async () => {
    expect(await refusal(await store().asleepAfter("create-order"))).toContain("not_allowed: The run has not ended");
    expect(await refusal(await store().cancelledWithUnknown("charge-payment"))).toContain("Resolve it first");
    const [root, child] = [await store().completed(), await store().asleepAfter("create-order")];
    await childOf(root, child);
    expect(await refusal(root)).toContain(`Its descendant ${child} has not ended`);
    const [parent, ended] = [await store().asleepAfter("create-order"), await store().completed()];
    await childOf(parent, ended);
    expect(await refusal(ended)).toContain("parent has not ended");
  });

  it("of a child covers what its parent recorded of it, and nothing else of the parent", async () => {
    const [parent, child] = [await store().completed(), await store().completed()];
    await childOf(parent, child);
    await erase(aDesk(engine.db), { runId: child, reason });
    const { steps, input } = await readRun(engine.db, parent);
    expect(input).toEqual({ email: SUBJECT });
    expect(steps.map(({ output }) => (output as { $type?: string } | null)?.$type === "erased")).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("closes every action that needs the data, and the run can still be deleted", async () => {
    const runId = await store().failedAt("charge-payment");
    const run = await erase(aDesk(engine.db), { runId, reason });
    expect(run.acts.filter(({ open }) => open).map(({ act }) => act)).toEqual(["snooze", "delete"]);
    expect(run.primaryAct).toBeNull();
    await expect(rerun(aDesk(engine.db), { runId, reason })).rejects.toMatchObject({ code: "not_allowed" });
    expect(await refusal(runId)).toContain("erased already");
  });
});

it("a start with the key of an erased run is refused, and nothing reads its values as if they were there", async () => {
  const workflow = defineWorkflow({ name: "erased-start", input: z.any() }, async () => undefined);
  const start = await prepareStart(workflow, { email: SUBJECT }, { idempotencyKey: "signup" });
  const { id: runId } = await insertRunOnce(engine.db, start);
  await cancel(aDesk(engine.db), { runId, reason });
  await erase(aDesk(engine.db), { runId, reason });
  await expect(insertRunOnce(engine.db, start)).rejects.toMatchObject({
    code: "idempotency_conflict",
    message: expect.stringContaining("whose data was erased"),
  });
  expect(() => decodeValue(ERASED_VALUE)).toThrow("The data of this run was erased");
});

it("a subject is found by a masked tag that is searchable, under a key, by who may not see it; sealed data goes, too", async () => {
  seal("one");
  const workflow = defineWorkflow(
    {
      name: "erased-masked",
      input: z.object({ email: z.string() }),
      masked: ["email"],
      tags: ({ email }) => ({ email }),
      searchable: ["email"],
    },
    async () => undefined,
  );
  const { id: runId } = await insertRunOnce(engine.db, await prepareStart(workflow, { email: "Lin@Example.com" }));
  await cancel(aDesk(engine.db), { runId, reason });
  const plan = () =>
    makePlan(
      aDesk(engine.db),
      { act: "erase", params: {} },
      { filter: { tags: { email: "lin@example.com" }, blind: true } },
    );
  expect((await plan()).items).toMatchObject([{ runId, included: true }]);
  expect((await erase(aDesk(engine.db), { runId, reason })).input).toEqual({ $type: "erased" });
  expect((await plan()).items).toEqual([]);
});

it("a subject's runs are found by a tag, planned, and erased; a second plan finds none, and no plan names the subject", async () => {
  const subject = "grace@example.com";
  const tags = { email: subject };
  const [one, two] = [await store({ tags }).completed(), await store({ tags }).failedAt("charge-payment")];
  const live = await store({ tags }).asleepAfter("create-order");
  const other = await store({ tags: { email: "another@example.com" } }).completed();
  const plan = () => makePlan(aDesk(engine.db), { act: "erase", params: {} }, { filter: { tags } });
  const first = await plan();
  expect(first.counts).toMatchObject({
    runs: 3,
    included: 2,
    leftOut: [{ name: expect.stringContaining("has not ended"), count: 1 }],
    effects: { stay: 0, repeat: 0 },
  });
  expect(JSON.stringify(await engine.rows("select * from handrail.plan"))).not.toContain(subject);
  for (const runId of [one, two]) {
    const { id: planId, hash } = await makePlan(aDesk(engine.db), { act: "erase", params: {} }, { runIds: [runId] });
    const given = { planId, hash, reason, ratePerSecond: 10, canary: 0 };
    expect((await executePlan(aDesk(engine.db), code, given)).body).toMatchObject({ item: { outcome: "done" } });
  }
  expect((await plan()).items.map(({ runId }) => runId)).toEqual([live]);
  expect((await readRun(engine.db, other)).erasedAt).toBeNull();
});
