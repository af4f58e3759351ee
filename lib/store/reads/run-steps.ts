import type { Db, Statement } from "../db";
import { shown } from "../payloads";
import type { AttemptRow, CompensationRow, EventWaitRow, RowInstant, StepRow } from "../rows";

/** A step with its attempts and other details. */
export interface StepParts {
  step: StepRow;
  /** The latest 50, in order of their number. */
  attempts: AttemptRow[];
  compensation: CompensationRow | null;
  wait: EventWaitRow | null;
}

/** Attempts listed of one step, the latest. */
const MAX_ATTEMPTS = 50;

/**
 * Every part is found by a primary key that begins with the run: the cost of a page is its own rows, however many the
 * run has.
 */
const PARTS = `
  to_json(step) as step,
  (select coalesce(json_agg(tried order by number), '[]')
    from (select * from handrail.attempt
      where attempt.run_id = step.run_id and attempt.step = step.name and attempt.generation = step.generation
      order by number desc limit ${MAX_ATTEMPTS}) as tried) as attempts,
  (select to_json(undo) from handrail.compensation as undo
    where undo.run_id = step.run_id and undo.step = step.name and undo.generation = step.generation) as compensation,
  (select to_json(wait) from handrail.event_wait as wait
    where wait.run_id = step.run_id and wait.step = step.name and wait.generation = step.generation) as wait`;

/** Outputs are not read: a page of a thousand steps is for the graph. The page is cut before its rows are processed. */
const pageStatement: Statement = {
  name: "run-steps",
  text: `
    select ${PARTS}
    from (select run_id, name, generation, kind, effect, status, position, finished_position, attempt, failures, max_attempts,
        key_generation, null as output, error, reference, can_ask, doubt, worker_id, started_at, finished_at, next_attempt_at,
        compensation_mode, instructions, superseded_by
      from handrail.step
      where run_id = $1::uuid and (name, generation) > ($2::text, $3::int)
      order by name, generation limit $4::int) as step
    order by name, generation`,
};

export interface StepKey {
  name: string;
  generation: number;
}

/** By name and generation, after `after`. */
export function listStepParts(db: Db, runId: string, { after, limit }: { after: StepKey; limit: number }) {
  return db.query<StepParts>(pageStatement, [runId, after.name, after.generation, limit]);
}

/** Records listed of one step at most. */
const MAX_GENERATIONS = 200;

const oneStatement: Statement = {
  name: "run-step",
  text: `
    select ${PARTS}
    from handrail.step
    where run_id = $1::uuid and name = $2
    order by generation desc limit ${MAX_GENERATIONS}`,
};

/** Every record of one step, latest generation first. */
export async function selectStepParts(db: Db, runId: string, name: string): Promise<StepParts[]> {
  const rows = await db.query<StepParts>(oneStatement, [runId, name]);
  return rows.map((row) => ({
    ...row,
    step: { ...row.step, output: shown([runId, "step", row.step.name, row.step.generation], row.step.output) },
  }));
}

const versionsStatement: Statement = {
  name: "run-versions",
  text: `
    select version, (select coalesce(json_agg(change order by epoch), '[]')
      from handrail.version_change as change where change.run_id = run.id) as changes
    from handrail.run where id = $1::uuid`,
};

/** The version that the run began with, and each change of version; undefined for an unknown run. */
export async function selectVersions(db: Db, runId: string) {
  const [row] = await db.query<{ version: number; changes: { version: number; at: RowInstant }[] }>(versionsStatement, [
    runId,
  ]);
  return row;
}

/** Runs of the workflow that are looked through for a good one: the newest, and those before the run. */
const LOOKED_AT = 1_000;

const isGood =
  "status = 'completed' and generation = 1 and coalesce(code_version, version) = this.version and id <> this.id";
const newestGood = (condition: string) => `(
        select id from (
          select id, status, generation, version, code_version from handrail.run as other
          where other.workflow = this.workflow and ${condition} order by id desc limit ${LOOKED_AT}
        ) as looked where ${isGood} order by id desc limit 1)`;

const goodRunStatement: Statement = {
  name: "good-run",
  text: `
    select this.workflow, this.version, this.created_at, good.id as good_id, good.created_at as good_at
    from (select id, workflow, coalesce(code_version, version) as version, created_at from handrail.run where id = $1::uuid) as this
    left join handrail.run as good on good.id = coalesce(${newestGood("true")}, ${newestGood("other.id < this.id")})`,
};

interface GoodRunRow {
  workflow: string;
  /** The version that claimed it last. */
  version: number;
  created_at: RowInstant;
  /** The newest run of its workflow and version that completed without a repair; null: none among those looked at. */
  good_id: string | null;
  good_at: RowInstant | null;
}

/** Undefined for an unknown run. */
export async function selectGoodRun(db: Db, runId: string): Promise<GoodRunRow | undefined> {
  const [row] = await db.query<GoodRunRow>(goodRunStatement, [runId]);
  return row;
}
