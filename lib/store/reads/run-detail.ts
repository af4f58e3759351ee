import type { Parts } from "../../engine/parts";
import { keyIdOf } from "../../engine/privacy/sealed";
import { parseOwnInParts } from "../../engine/values/parse-in-parts";
import type { Db, Statement } from "../db";
import { shown, shownRun } from "../payloads";
import { CLOSED_INTAKE, type ClosedIntakeRow } from "../queues/intake";
import { RUN_PERMITS, type RunPermitRow } from "../queues/run-permits";
import type {
  AttemptRow,
  CompensationRow,
  EventRow,
  EventWaitRow,
  ProgressRow,
  RowInstant,
  RunRow,
  StepRow,
} from "../rows";
import { STARTED_AS, STARTED_FROM } from "../runs/new-runs";
import { SINGLETON_HOLDER } from "../runs/singleton";
import type { DriftRow } from "../workflows/drift";
import { LIVE_PAYLOAD_KEYS, WORKER_AVAILABLE } from "../workflows/versions";
import { AUDIT_COLUMNS, type AuditRow } from "./audit";
import { ANCESTORS, type AncestorRow, childCounts, type StatusCounts } from "./family";
import { ROOT_CAUSE, type RootCauseSearch } from "./root-cause";
import { RUN_QUEUE, type RunQueueRow } from "./run-queue";
import { WORKER_STATUS, type WorkerRow } from "./workers";

export interface RunDetailRow {
  children: StatusCounts;
  /** From the root of the tree down to its parent. */
  ancestors: AncestorRow[];
  root_cause: RootCauseSearch;
  run: RunRow & {
    begin_by: RowInstant | null;
    deadline_at: RowInstant | null;
    begun_by_event: string | null;
    scheduled_at: RowInstant | null;
    singleton_key: string | null;
  };
  singleton_holder: string | null;
  title: string;
  worker_available: boolean;
  /** The worker that owns it. */
  owner: Pick<WorkerRow, "name" | "status" | "lease_expires_at"> | null;
  /** A key that seals one of its payloads, and that no live worker of its workflow has. */
  missing_key: string | null;
  /** Of the blob store, while a value cannot be put there, or the run waits for one. */
  blob_error: string | null;
  closed_intake: ClosedIntakeRow | null;
  progress: ProgressRow | null;
  /** Null unless it is in one now. */
  queue: RunQueueRow | null;
  permits: RunPermitRow[];
  /** Live and superseded, in order of position and generation. */
  steps: StepRow[];
  /**
   * The facts that rules and the summary need of the current steps, if `steps` leaves some out; null if it has them
   * all.
   */
  standing: StandingRow[] | null;
  /** Of all, shown or not; `done` and `skipped` count those that are not superseded. */
  step_counts: { total: number; done: number; skipped: number };
  /** The latest, in order of step, generation and number. */
  attempts: AttemptRow[];
  compensations: CompensationRow[];
  /** Newest first. */
  audit: AuditRow[];
  waits: EventWaitRow[];
  /** Sent to the run or taken by it, newest first. */
  events: EventRow[];
  lost_claims: { worker_id: number; lost_at: RowInstant }[];
  drift: DriftRow[];
  /** In their order. */
  started_from: string | null;
  started_as: string[];
  version_changes: { version: number; generation: number; at: RowInstant }[];
}

export type StandingRow = Pick<
  StepRow,
  | "name"
  | "kind"
  | "effect"
  | "status"
  | "position"
  | "generation"
  | "finished_position"
  | "failures"
  | "error"
  | "can_ask"
  | "doubt"
  | "compensation_mode"
>;

/** If there are more than can be shown: the one that it waits at comes first, then those not done, then those nearest to its beginning or end. */
const nearest = (limit: string, condition = "true") => `
  select name, generation, total
  from (select name, generation, status,
      row_number() over (order by position, generation) as place, count(*) over () as total
    from handrail.step where run_id = $1::uuid and ${condition}) as placed
  order by name is distinct from (select waiting_step from handrail.run where id = $1::uuid), status in ('completed', 'skipped'), least(place, total - place + 1) limit ${limit}`;

/**
 * One statement is one snapshot: the run, its steps and the actions on them always fit together. It is one text, for a
 * driver parses JSON at once, however long it is.
 */
export const detailStatement: Statement = {
  name: "run-detail",
  text: `
    with shown as materialized (${nearest("$5::int")})
    select to_json(detail)::text as detail from (select to_json(run) as run,
      coalesce((select title from handrail.workflow
        where name = run.workflow and version = run.version), run.workflow) as title,
      ${WORKER_AVAILABLE} as worker_available,
      ${LIVE_PAYLOAD_KEYS} as live_payload_keys,
      (select json_build_object('name', name, 'status', ${WORKER_STATUS}, 'lease_expires_at', lease_expires_at)
        from handrail.worker where worker.id = run.worker_id) as owner,
      ${CLOSED_INTAKE("run.workflow")} as closed_intake,
      (select to_json(progress) from handrail.progress where run_id = run.id) as progress,
      ${RUN_QUEUE} as queue,
      ${RUN_PERMITS} as permits,
      ${SINGLETON_HOLDER} as singleton_holder,
      (select coalesce(json_agg(step order by position, generation), '[]')
        from shown join handrail.step using (name, generation)
        where step.run_id = run.id) as steps,
      case when exists (select from shown where total > $5::int) then
        (select coalesce(json_agg(standing order by position, generation), '[]')
          from (select name, kind, effect, status, position, generation, finished_position, failures, error, can_ask, doubt, compensation_mode
            from (${nearest("$2::int", "superseded_by is null")}) as nearest join handrail.step using (name, generation)
            where step.run_id = run.id) as standing) end as standing,
      (select json_build_object('total', count(*),
          'done', count(*) filter (where status = 'completed' and superseded_by is null),
          'skipped', count(*) filter (where status = 'skipped' and superseded_by is null))
        from handrail.step where run_id = run.id) as step_counts,
      (select coalesce(json_agg(attempt order by step, generation, number), '[]')
        from (select attempt.* from handrail.attempt
          join shown on shown.name = attempt.step and shown.generation = attempt.generation
          where run_id = run.id order by started_at desc limit $2::int) as attempt) as attempts,
      (select coalesce(json_agg(compensation order by position desc), '[]')
        from (select * from handrail.compensation where run_id = run.id
          order by status in ('completed', 'waived'), position desc limit $2::int) as compensation) as compensations,
      (select coalesce(json_agg(audit order by id desc), '[]')
        from (select ${AUDIT_COLUMNS} from handrail.audit where run_id = run.id
          order by audit.id desc limit $3::int) as audit) as audit,
      (select coalesce(json_agg(wait order by seq), '[]')
        from (select * from handrail.event_wait where run_id = run.id
          order by step, generation limit $2::int) as wait) as waits,
      (select coalesce(json_agg(event order by seq desc), '[]')
        from (select * from (select * from handrail.event where run_id = run.id
            union select * from handrail.event where taken_by = run.id) as of_run
          order by seq desc limit $3::int) as event) as events,
      (select coalesce(json_agg(lost_claim order by lost_at desc), '[]')
        from (select * from handrail.lost_claim where run_id = run.id
          order by epoch desc limit $3::int) as lost_claim) as lost_claims,
      (select coalesce(json_agg(found order by generation, at), '[]')
        from (select * from handrail.drift where run_id = run.id
          order by generation desc, version limit $3::int) as found) as drift,
      (select coalesce(json_agg(change order by epoch), '[]')
        from (select * from handrail.version_change where run_id = run.id
          order by epoch desc limit $3::int) as change) as version_changes,
      coalesce((select error from handrail.blob where run_id = run.id and gone_at is null and error is not null and not held
        order by made_at desc limit 1),
        case when run.waiting_kind = 'blob' then (select error from handrail.blob_wait where run_id = run.id) end) as blob_error,
      ${childCounts("$4")} as children,
      ${ANCESTORS} as ancestors,
      ${ROOT_CAUSE} as root_cause,
      ${STARTED_FROM} as started_from,
      ${STARTED_AS} as started_as
    from handrail.run where id = $1::uuid) as detail`,
};

/** Runs with more steps than this have some left out. */
export const MAX_STEPS = 5_000;
const MAX_HISTORY = 200;
/** Counting children stops here, as counting runs does. */
export const MAX_CHILDREN_COUNTED = 10_000;

type Found = Omit<RunDetailRow, "missing_key"> & { live_payload_keys: string[] };

/**
 * The row is still to be made, in parts: with thousands of steps that takes long.
 * @param steps how many at the most, up to 5,000
 */
export async function selectRunDetail(
  db: Db,
  runId: string,
  steps = MAX_STEPS,
): Promise<Parts<RunDetailRow> | undefined> {
  const asked = [runId, MAX_STEPS, MAX_HISTORY, MAX_CHILDREN_COUNTED, steps];
  const [row] = await db.query<{ detail: string }>(detailStatement, asked);
  return row && rowInParts(row.detail);
}

function* rowInParts(text: string): Parts<RunDetailRow> {
  const { live_payload_keys, ...detail } = (yield* parseOwnInParts(text)) as Found;
  const { run } = detail;
  const missingKeyOf = (stored: string | null) => {
    const id = stored && keyIdOf(stored);
    return id && !live_payload_keys.includes(id) ? id : null;
  };
  let missing = missingKeyOf(run.input);
  const steps: StepRow[] = [];
  for (const step of detail.steps) {
    missing ??= missingKeyOf(step.output);
    steps.push({ ...step, output: shown([run.id, "step", step.name, step.generation], step.output) });
    yield;
  }
  return { ...detail, missing_key: missing, run: shownRun(run), steps };
}

const statusStatement: Statement = {
  name: "run-status",
  text: `select status, revision from handrail.run where id = $1::uuid`,
};

/** For clients that wait for a run: cheap enough for polling. */
export async function selectRunStatus(db: Db, runId: string) {
  const [row] = await db.query<Pick<RunRow, "status" | "revision">>(statusStatement, [runId]);
  return row;
}

const statusesStatement: Statement = {
  name: "run-statuses",
  text: `select id::text, status from handrail.run where id = any ($1::uuid[])`,
};

/** The status of each of these runs that exists, by id: one statement for all waits. */
export async function selectRunStatuses(db: Db, runIds: readonly string[]): Promise<Map<string, RunRow["status"]>> {
  const rows = await db.query<Pick<RunRow, "id" | "status">>(statusesStatement, [runIds]);
  return new Map(rows.map(({ id, status }) => [id, status]));
}
