import { z } from "zod";
import { defineSchedule } from "../../engine/schedules/schedule";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { putSchedule } from "../../operator/schedules/run-time-schedules";
import { editASchedule } from "../../operator/schedules/schedules";
import type { Db } from "../../store/db";
import { syncSchedules } from "../../store/schedules/sync-schedules";
import { registerWorkflows } from "../../store/workers/workers";
import { aDesk } from "../desk";
import { aRun } from "../rows/a-run";

/** No answer may hold this text, in whatever field it was planted. */
export const CANARY = "canary-4242";
const card = { number: CANARY };
const payload = (field: string) => JSON.stringify({ card, password: `${CANARY}-${field}`, note: `the card ${CANARY}` });
const error = (field: string) =>
  JSON.stringify({
    name: `Error of ${CANARY}`,
    message: `${field}: ${CANARY} was declined`,
    code: CANARY,
    stack: `Error: ${CANARY}\n at charge`,
    cause: { name: "Error", message: `cause: ${CANARY}` },
  });

export const guarded = defineWorkflow(
  {
    name: "guarded",
    input: z.object({ card: z.object({ number: z.string() }) }),
    masked: ["card.number", "headers.card-number"],
  },
  async () => null,
);

/** Runs with the canary in every field that a workflow, a sender or a person can fill. */
export async function plantCanaries(db: Db, query: (text: string, values?: unknown[]) => Promise<unknown>) {
  await plantSchedules(db);
  const identity = { workflow: "guarded", input: payload("input"), tags: { card: CANARY } };
  const failed = await aRun(db, { ...identity, idempotencyKey: `key-${CANARY}` }).failedAt("send-confirmation");
  const completed = await aRun(db, identity).completed();
  const asking = await aRun(db, identity).asking("ask", [`use ${CANARY}`]);
  const compensating = await aRun(db, identity).failedToCompensate();
  // From a workflow without masks: what it reports of its child is the child's.
  const parent = await aRun(db, { workflow: "parent" }).completed();
  await query(
    "update handrail.run set parent_run_id = $1, parent_step = 'child', parent_key_generation = 1 where id = $2",
    [parent, completed],
  );
  await query("update handrail.run set output = $2 where id = $1", [parent, payload("child result")]);
  await query("update handrail.step set output = $1, instructions = $2, reference = $2 where status = 'completed'", [
    payload("step output"),
    `write to ${CANARY}`,
  ]);
  await query(
    `insert into handrail.step select (jsonb_populate_record(step, '{"name": "receipt", "kind": "publish", "position": 99, "finished_position": 99}')).*
     from handrail.step where name = 'create-order' and status = 'completed'`,
  );
  await query("update handrail.run set headers = $1 where workflow = 'guarded'", [
    JSON.stringify({ "card-number": CANARY, password: CANARY }),
  ]);
  await query("update handrail.run set run_title = $1 where workflow = 'guarded'", [`the order of ${CANARY}`]);
  await query("update handrail.run set error = $1 where error is not null", [error("run")]);
  await query("update handrail.run set output = $1 where output is not null", [payload("output")]);
  await query("update handrail.step set error = $1 where error is not null", [error("step")]);
  await query("update handrail.compensation set error = $1 where error is not null", [error("undo")]);
  // A person's typed text is shown as typed: no canary.
  await query(
    `update handrail.compensation set note = 'done', reference = 'r', "by" = 'ada' where status in ('completed', 'waived')`,
  );
  await query("update handrail.compensation set instructions = $1", [`write to ${CANARY}`]);
  await query("update handrail.event_wait set question = $1, data = $2", [`Charge ${CANARY}?`, payload("question")]);
  await query(
    `insert into handrail.attempt (run_id, step, generation, number, status, error, started_at, finished_at)
     select run_id, name, generation, 1, 'failed', $1, started_at, finished_at from handrail.step where status = 'failed'`,
    [error("attempt")],
  );
  await query(
    "insert into handrail.event (name, id, run_id, key, payload, sent_by) values ('paid', $2, $1, null, $3, 'ada')",
    [failed, `id-${CANARY}`, payload("event")],
  );
  await query(
    `insert into handrail.log (run_id, key, during, message, data, at)
     values ($1, 'k', 'code', $2, $3, clock_timestamp())`,
    [failed, `said ${CANARY}`, payload("log")],
  );
  const said = {
    attributes: { "url.full": CANARY, "error.type": CANARY },
    statusMessage: CANARY,
    events: [],
    leftOut: 0,
  };
  await query(
    `insert into handrail.span (trace_id, span_id, run_id, name, kind, service, status, started_at, ended_at, detail)
     values (repeat('a', 32), repeat('b', 16), $1, $2, 'client', $2, 'error', clock_timestamp(), clock_timestamp(), $3)`,
    [failed, `GET /cards/${CANARY}`, JSON.stringify(said)],
  );
  await query("insert into handrail.progress (run_id, done, total, note) values ($1, 1, 2, $2)", [failed, CANARY]);
  return { failed, completed, asking, compensating, parent };
}

/** One of the code and one made at run time: their changes are in the audit log, with the input before and after. */
async function plantSchedules(db: Db): Promise<void> {
  await registerWorkflows(db, [guarded]);
  const input = { card };
  const daily = { name: "guarded-daily", workflow: guarded, cron: "0 3 * * *", timeZone: "UTC", input };
  await syncSchedules(db, [defineSchedule(daily)]);
  const [desk, code] = [aDesk(db), codeHere([guarded])];
  for (const everyMs of [3_600_000, 7_200_000]) {
    const one = defineSchedule({ name: "guarded-for-one", workflow: guarded, everyMs, input });
    await putSchedule(desk, code, one, "for one customer");
    await editASchedule(desk, code, { name: daily.name, everyMs, input, reason: "sooner", revision: undefined });
  }
}
