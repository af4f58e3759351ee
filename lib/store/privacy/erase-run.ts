import { ERASED_ERROR, ERASED_TEXT, ERASED_VALUE } from "../../engine/privacy/erased";
import type { Db, Statement } from "../db";
import { BEGAN_GONE, lockForDeletion, NEEDED, NO_SPANS_OF_TRACES, tree } from "../runs/retention";

const erased = (column: string, marker: string) => `${column} = case when ${column} is not null then '${marker}' end`;
const errorOf = (column: string) => erased(column, ERASED_ERROR);

/** Tables of a run whose rows stay, with what they have in the place of its data. */
const MARKED = {
  attempt: errorOf("error"),
  compensation: [
    errorOf("error"),
    erased("note", ERASED_TEXT),
    erased("instructions", ERASED_TEXT),
    "reference = null, evidence = null",
  ].join(", "),
  event_wait: `${erased("question", ERASED_TEXT)}, choices = case when choices is not null then '[]'::jsonb end, ${erased("data", ERASED_VALUE)}, filter = null`,
  progress: "note = null",
  trouble: errorOf("error"),
};

/**
 * Why a run cannot be erased now: it or a descendant is `open`, waits for a person, or is `held` by another process, or
 * its `parent` or an `ancestor` above is open.
 */
export type UnerasedBecause = "open" | "parent" | "ancestor" | "held" | "attention";

/** Of the given runs. */
const ancestors = `up (id, parent_run_id, finished_at) as (
      select parent.id, parent.parent_run_id, parent.finished_at
      from handrail.run join handrail.run as parent on parent.id = run.parent_run_id where run.id = any ($1::uuid[])
      union all
      select parent.id, parent.parent_run_id, parent.finished_at
      from up join handrail.run as parent on parent.id = up.parent_run_id
    )`;

const isOpen = "run.finished_at is null";
/** Its code would read the outcome of the child again. */
const hasOpenParent = `exists (select from handrail.run as parent where parent.id = run.parent_run_id and parent.finished_at is null)`;

const whyStatement: Statement = {
  name: "why-run-is-not-erased",
  text: `
    with recursive ${tree}, ${ancestors}, judged as (
      select run.id, case when ${isOpen} then 'open' when run.id = tree.root and ${hasOpenParent} then 'parent'
        when run.id = tree.root and exists (select from up where finished_at is null) then 'ancestor'
        when ${NEEDED.attention} then 'attention' when not run.id = any ($2::uuid[]) then 'held' end as because
      from tree join handrail.run on run.id = tree.id
    )
    select id::text as "runId", because from judged where because is not null order by id limit 1`,
};

/** As a waiter does before it looks for events: it has taken such an event, or finds its payload erased. */
const lockEventsStatement: Statement = {
  name: "lock-events-of-starts",
  text: `
    with gone as (select unnest($1::uuid[]) as id)
    select from handrail.event_key where (name, key) in (
      select event.name, event.key from handrail.event where ${BEGAN_GONE} and event.key is not null)
    order by name, key for update`,
};

/*
 * Guarantee: all of the runs or none, and no owner writes beside it: they have ended, and this transaction holds them.
 * What other runs know of them is the parent's record of a child, whose parent has ended, too. Names, keys, times and
 * statuses stay. Lines that are already in a block of the log's index are folded again.
 */
const eraseStatement: Statement = {
  name: "erase-runs",
  text: `
    with gone as (select unnest($1::uuid[]) as id
    ), marked as (
      update handrail.run set input = '${ERASED_VALUE}', ${erased("output", ERASED_VALUE)}, ${errorOf("error")}, tags = null, headers = null,
        run_title = null, erased_at = clock_timestamp(), epoch = epoch + 1, revision = revision + 1
      from gone where run.id = gone.id
      returning run.id, run.workflow, run.status, run.parent_run_id, run.parent_step, run.parent_key_generation
    ), step as (
      update handrail.step set ${erased("output", ERASED_VALUE)}, ${errorOf("error")}, ${errorOf("doubt")},
        ${erased("instructions", ERASED_TEXT)}, reference = null
      from gone where step.run_id = gone.id
    ), step_of_parent as (
      update handrail.step set ${erased("output", ERASED_VALUE)}, ${errorOf("error")}
      from marked where step.run_id = marked.parent_run_id and step.name = marked.parent_step
        and step.key_generation = marked.parent_key_generation and step.run_id not in (select id from gone)
    ), line as (
      update handrail.log set message = '${ERASED_TEXT}', data = null from gone where log.run_id = gone.id returning log.id
    ), fold_again as (
      insert into handrail.log_gone (block) select distinct id >> 9 from line
    ), ${Object.entries(MARKED)
      .map(
        ([table, set]) => `${table} as (update handrail.${table} set ${set} from gone where ${table}.run_id = gone.id)`,
      )
      .join(", ")},
    event as (
      update handrail.event set payload = '${ERASED_VALUE}'
      where run_id = any (array(select id from gone)) or taken_by = any (array(select id from gone))
    ), event_of_start as (
      update handrail.event set payload = '${ERASED_VALUE}' where ${BEGAN_GONE}
    ), no_tag as (
      delete from handrail.run_tag using gone where run_id = gone.id
    ), no_span as (
      delete from handrail.span using gone where run_id = gone.id
    ), ${NO_SPANS_OF_TRACES}
    select id::text, workflow, status from marked`,
};

/** Tables with errors of an ancestor. Each of a failed child begins as lib/engine/runs/outcome-error.ts writes it. */
const WITH_ERRORS = [
  ["run", "id"],
  ["step", "run_id"],
  ["attempt", "run_id"],
  ["compensation", "run_id"],
  ["trouble", "run_id"],
] as const;
const namesChild = (column: string, child: string) =>
  `position('The child run ' || ${child}::text || ' of ' in ${column}) > 0`;

/** An ancestor's error has the child's message; each level above has that of the one below. All of them have ended. */
const ancestorsStatement: Statement = {
  name: "erase-errors-of-ancestors",
  text: `
    with recursive ${ancestors}, ${WITH_ERRORS.map(
      ([table, key]) => `of_${table} as (
      update handrail.${table} set error = $2${table === "run" ? ", revision = revision + 1" : ""}
      from up where ${table}.${key} = up.id and ${namesChild(`${table}.error`, "($1::uuid[])[1]")}
    )`,
    ).join(", ")}
    select id::text from up`,
};

/*
 * After the feed of failures, as a separate statement: a fold that had read a failure before has committed by now, and
 * is seen.
 */
const problemStatement: Statement = {
  name: "erase-problem-examples",
  text: `
    update handrail.problem set example_error = $2
    where example_run_id = any ($1::uuid[])
      or example_run_id = any ($3::uuid[]) and ${namesChild("example_error", "$4")}`,
};

export interface ErasedRun {
  id: string;
  workflow: string;
  status: string;
}

/**
 * Replaces what an ended run and its descendants hold by markers: all of them, or none. The transaction holds the run.
 */
export async function eraseRun(
  tx: Db,
  runId: string,
): Promise<{ erased: ErasedRun[] } | { unerased: { runId: string; because: UnerasedBecause } }> {
  const locked = await lockForDeletion(tx, [runId]);
  const [unerased] = await tx.query<{ runId: string; because: UnerasedBecause }>(whyStatement, [[runId], locked]);
  if (unerased) return { unerased };
  await tx.query(lockEventsStatement, [locked]);
  const rows = await tx.query<ErasedRun>(eraseStatement, [locked]);
  const above = await tx.query<{ id: string }>(ancestorsStatement, [[runId], ERASED_ERROR]);
  await tx.query(problemStatement, [locked, ERASED_ERROR, above.map(({ id }) => id), runId]);
  return { erased: rows };
}
