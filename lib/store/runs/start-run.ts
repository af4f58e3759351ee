import type { RunToStart } from "../../engine/runs/start";
import type { Db, Statement } from "../db";
import { type Column, givenRows, givenValues } from "../given-rows";
import { opened, sealed, withSealedInput } from "../payloads";
import { newRunId } from "../run-id";
import { storedTags } from "../tag-values";
import { insertDebounced } from "./debounce";
import { afterDue, dueAt } from "./due-sql";
import { startKeyed, startThrottled } from "./start-keyed";
import { type Keyed, mayCompare, type StartedRun, type Starter, startedBefore } from "./starter";
import { storedHeaders } from "./stored-headers";

/*
 * Guarantee: of any number of starts with one key, one inserts and all return its id. Races with: the same statement in
 * other sessions; the loser waits on the unique index for the winner's transaction, and inserts if that rolled back.
 */
const insertRun: Statement = {
  name: "insert-run",
  text: `
    with inserted as (
      insert into handrail.run (id, workflow, version, input, tags, idempotency_key, due_at, priority, queue_key, key_owner, run_title, trace,
        begin_by, deadline_at, chosen_version, headers)
      values ($1::uuid, $2, $3::int, $4, nullif($5::jsonb, '{}'), $6,
        ${dueAt("$7::timestamptz", "$9::float8")}, $8::int, $10, $11, $12, $13,
        ${afterDue("$7::timestamptz", "$9::float8", "$14::float8")}, ${afterDue("$7::timestamptz", "$9::float8", "$15::float8")}, $16::int, $17::jsonb)
      on conflict (idempotency_key, workflow) where idempotency_key is not null do nothing
      returning id, tags
    ), tagged as (
      insert into handrail.run_tag (name, value, run_id)
      select tag.key, tag.value, inserted.id from inserted, jsonb_each_text(inserted.tags) tag
    )
    select id::text from inserted`,
};

const findByKey: Statement = {
  name: "find-run-by-key",
  text: `select id::text, workflow, input, key_owner as owner from handrail.run where idempotency_key = $1 and workflow = $2`,
};

/**
 * @param starter the caller; without one, code of this installation, which may see every run
 * @throws HandrailError `idempotency_conflict` if the key has started a run with another input, or one that the starter
 * may not compare with theirs; `singleton_conflict` while another run of its singleton key lives; `throttled`
 */
export async function insertRunOnce(db: Db, run: RunToStart, starter?: Starter): Promise<StartedRun> {
  if (run.debounce) return insertDebounced(db, run, run.debounce, starter);
  if (run.throttle) return startThrottled(db, run, starter, (tx, free) => insertRunOnce(tx, free, starter));
  if (run.singleton) return (await startKeyed(db, [run], starter))[0] as StartedRun;
  const id = run.large?.id ?? newRunId();
  const values = [
    id,
    run.workflow,
    run.version,
    sealed([id, "input"], run.input),
    storedTags(run.tags),
    run.idempotencyKey,
    run.runAt?.toISOString() ?? null,
    run.priority,
    run.delayMs,
    run.queueKey,
    run.idempotencyKey === null ? null : (starter?.owner ?? null),
    run.runTitle,
    run.trace ?? null,
    run.beginWithinMs ?? null,
    run.endWithinMs ?? null,
    run.pinned ? run.version : null,
    storedHeaders(run),
  ];
  const [inserted] = await db.query<{ id: string }>(insertRun, values);
  if (inserted) return { id: inserted.id, created: true };
  const [found] = await db.query<Keyed>(findByKey, [run.idempotencyKey, run.workflow]);
  // The winner's run was deleted between the two statements: by retention, long after its end. Start again.
  if (!found) return insertRunOnce(db, run, starter);
  const existing = { ...found, input: opened([found.id, "input"], found.input) };
  return startedBefore(run, existing, await mayCompare(db, [existing], starter));
}

type RunRow = RunToStart & { id: string };

const RUN_COLUMNS: readonly Column<RunRow>[] = [
  ["id", "uuid", ({ id }) => id],
  ["workflow", "text", ({ workflow }) => workflow],
  ["version", "int", ({ version }) => version],
  ["input", "text", ({ input }) => input],
  ["tags", "jsonb", ({ tags }) => (Object.keys(tags).length === 0 ? null : storedTags(tags))],
  ["run_at", "timestamptz", ({ runAt }) => runAt?.toISOString() ?? null],
  ["priority", "int", ({ priority }) => priority],
  ["delay_ms", "float8", ({ delayMs }) => delayMs ?? null],
  ["queue_key", "text", ({ queueKey }) => queueKey ?? null],
  ["run_title", "text", ({ runTitle }) => runTitle],
  ["trace", "text", ({ trace }) => trace ?? null],
  ["begin_within_ms", "float8", ({ beginWithinMs }) => beginWithinMs ?? null],
  ["end_within_ms", "float8", ({ endWithinMs }) => endWithinMs ?? null],
  ["chosen_version", "int", ({ pinned, version }) => (pinned ? version : null)],
  ["headers", "jsonb", storedHeaders],
];

/* Many runs in one statement. Only for starts without idempotency keys: a key's conflict needs a separate result. */
const insertRuns: Statement = {
  name: "insert-runs",
  text: `
    with started as (
      select * from ${givenRows(RUN_COLUMNS, 1)}
    ), tagged as (
      insert into handrail.run_tag (name, value, run_id)
      select tag.key, tag.value, started.id from started, jsonb_each_text(started.tags) tag
    )
    insert into handrail.run (id, workflow, version, input, tags, due_at, priority, queue_key, run_title, trace, begin_by, deadline_at, chosen_version, headers)
    select id, workflow, version, input, tags,
      ${dueAt("run_at", "delay_ms")}, priority, queue_key, run_title, trace,
      ${afterDue("run_at", "delay_ms", "begin_within_ms")}, ${afterDue("run_at", "delay_ms", "end_within_ms")}, chosen_version, headers
    from started`,
};

/** Inserts all or none; returns their ids in order. */
export async function insertManyRuns(db: Db, runs: RunToStart[]): Promise<string[]> {
  const rows = runs.map((run) => withSealedInput({ ...run, id: run.large?.id ?? newRunId() }));
  await db.query(insertRuns, givenValues(RUN_COLUMNS, rows));
  return rows.map(({ id }) => id);
}
