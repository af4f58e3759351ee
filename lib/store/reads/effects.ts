import type { RunStatus } from "../../engine/runs/run";
import type { Effect, StepStatus } from "../../engine/steps/step";
import type { Db, Statement } from "../db";
import type { AttemptRow, CompensationRow, RowInstant } from "../rows";

/** A filter of the runs' effects. */
export interface EffectFilter {
  step?: string | undefined;
  /** Instants: an attempt of the step was running between them. The first is included, the second not. */
  since?: string | undefined;
  until?: string | undefined;
}

/** One execution of the step, with how many attempts of it ended without its outcome. */
export interface LaneRow {
  generation: number;
  kind: "step" | "transaction";
  effect: Effect;
  status: StepStatus;
  attempt: number;
  key_generation: number;
  reference: string | null;
  error: string | null;
  worker_id: number | null;
  started_at: RowInstant;
  finished_at: RowInstant | null;
  superseded_by: number | null;
  compensation_mode: "automatic" | "manual" | null;
  unknown: number;
  interrupted: number;
  /** Attempts with separate rows. */
  recorded: number;
  /** Its last attempt has a separate row, so the current outcome belongs to another one. */
  last_recorded: boolean;
  /** The latest of its attempts that ended without its outcome, in order. */
  attempts: Omit<AttemptRow, "step" | "generation">[];
  compensation: Pick<
    CompensationRow,
    "mode" | "status" | "by" | "note" | "reference" | "attempt" | "finished_at"
  > | null;
}

export interface EffectRow {
  run_id: string;
  workflow: string;
  run_status: RunStatus;
  tags: Record<string, string> | null;
  run_title: string | null;
  name: string;
  position: number;
  /** In order of generation. */
  lanes: LaneRow[];
}

/** Attempts listed for one execution, the latest; a step may allow thousands. */
const MAX_ATTEMPTS_SHOWN = 50;

/** A step that may have an external effect: anything but waits, children and what only reads or computes. */
const TOUCHES = "lane.kind in ('step', 'transaction') and lane.effect <> 'pure'";

/** In a sub-select of one row: an EXISTS beside others may be answered by hashing a whole table. */
const WITHIN = `tried.started_at < coalesce($6::timestamptz, 'infinity')
              and coalesce(tried.finished_at, 'infinity') >= coalesce($5::timestamptz, '-infinity')`;

/*
 * Each part follows a primary key below one run, and only a few runs and a page of their steps are read: the cost does
 * not depend on the number of runs.
 */
export const effectsStatement: Statement = {
  name: "list-effects",
  text: `
    with page as (
      select given.place, run.id as run_id, run.workflow, run.status as run_status, run.tags, run.run_title, effect.name, effect.position
      from unnest($1::uuid[]) with ordinality as given (id, place)
      join handrail.run on run.id = given.id and (run.finished_at is null or run.finished_at >= coalesce($5::timestamptz, '-infinity'))
      cross join lateral (
        select latest.name, latest.position from handrail.step as latest
        where latest.run_id = run.id and ($2::text is null or latest.name = $2::text)
          and (given.place > 1 or (latest.position, latest.name) > ($3::int, $4::text))
          and not exists (select from handrail.step as later
            where later.run_id = latest.run_id and later.name = latest.name and later.generation > latest.generation)
          and exists (select from handrail.step as lane
            where lane.run_id = latest.run_id and lane.name = latest.name and ${TOUCHES})
          and (select true from (
              select started_at, finished_at from handrail.step where run_id = latest.run_id and name = latest.name
              union all
              select started_at, finished_at from handrail.attempt where run_id = latest.run_id and step = latest.name
            ) as tried where ${WITHIN} limit 1)
        order by latest.position, latest.name
        limit $7::int
      ) as effect
      order by given.place, effect.position, effect.name
      limit $7::int
    )
    select page.*, of_effect.lanes
    from page cross join lateral (
      select json_agg(json_build_object('generation', lane.generation, 'kind', lane.kind, 'effect', lane.effect,
          'status', lane.status, 'attempt', lane.attempt, 'key_generation', lane.key_generation,
          'reference', lane.reference, 'error', lane.error, 'worker_id', lane.worker_id,
          'started_at', lane.started_at, 'finished_at', lane.finished_at, 'superseded_by', lane.superseded_by,
          'compensation_mode', lane.compensation_mode, 'unknown', past.unknown, 'interrupted', past.interrupted,
          'recorded', past.recorded, 'last_recorded', past.last_recorded, 'attempts', past.attempts, 'compensation', to_json(undo))
        order by lane.generation) as lanes
      from handrail.step as lane
      left join handrail.compensation as undo
        on undo.run_id = lane.run_id and undo.step = lane.name and undo.generation = lane.generation
      cross join lateral (
        select count(*) filter (where one.status = 'unknown')::int as unknown,
          count(*) filter (where one.status = 'interrupted')::int as interrupted,
          count(*)::int as recorded,
          coalesce(bool_or(one.number = lane.attempt), false) as last_recorded,
          coalesce(json_agg(json_build_object('number', one.number, 'status', one.status, 'error', one.error,
            'worker_id', one.worker_id, 'started_at', one.started_at, 'finished_at', one.finished_at)
            order by one.number) filter (where one.number > lane.attempt - ${MAX_ATTEMPTS_SHOWN}), '[]') as attempts
        from handrail.attempt as one
        where one.run_id = lane.run_id and one.step = lane.name and one.generation = lane.generation
      ) as past
      where lane.run_id = page.run_id and lane.name = page.name and ${TOUCHES}
    ) as of_effect
    order by page.place, page.position, page.name`,
};

/** The effects of these runs, in their order, after `after` in the first of them. */
export function listEffects(
  db: Db,
  runIds: readonly string[],
  { step = null, since = null, until = null }: Nullable<EffectFilter>,
  page: { after: readonly [position: number, step: string]; limit: number },
) {
  return db.query<EffectRow>(effectsStatement, [runIds, step, ...page.after, since, until, page.limit]);
}

type Nullable<Fields> = { [Key in keyof Fields]?: Fields[Key] | null | undefined };

export interface LossRow {
  run_id: string;
  lost_at: RowInstant;
  /** When the first outcome after it was kept. */
  next_kept_at: RowInstant | null;
}

/** Lost claims read of one run, the latest. */
const MAX_LOSSES = 20;

export const lossesStatement: Statement = {
  name: "list-losses",
  text: `
    select given.id as run_id, lost.lost_at,
      (select min(finished_at) from handrail.step where run_id = given.id and finished_at > lost.lost_at) as next_kept_at
    from unnest($1::uuid[]) as given (id)
    cross join lateral (
      select lost_at from handrail.lost_claim where run_id = given.id order by epoch desc limit ${MAX_LOSSES}
    ) as lost`,
};

export const listLosses = (db: Db, runIds: readonly string[]) => db.query<LossRow>(lossesStatement, [runIds]);
