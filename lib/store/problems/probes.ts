import type { Caller } from "../../engine/audit/audit";
import { PROBE_WORKFLOW, type ProbeStatus, type TriedRun, type TryOutcome } from "../../engine/problems/probe";
import type { ProblemStatus } from "../../engine/problems/problem";
import { encodeValue } from "../../engine/values/codec";
import type { Db, Statement } from "../db";
import { namedRun, type RunNaming } from "../reads/run-naming";
import type { RowInstant } from "../rows";
import { insertRunOnce } from "../runs/start-run";

/** A probe's own run that has ended or is gone drives it no more. */
const IS_DRIVEN = `exists (select from handrail.run as driver
      where driver.id = probe.run_id and driver.status not in ('completed', 'failed', 'cancelled', 'compensated'))`;

export interface LockedProbe {
  id: string;
  problem_id: string;
  run_id: string;
  by: Caller;
  reason: string;
  most_tries: number;
  status: ProbeStatus;
  /** Until the next rerun; null: none is due. */
  next_in_ms: number | null;
  driven: boolean;
  /** Null: the problem was deleted. */
  problem_status: ProblemStatus | null;
  /** The problem's page follows this run. */
  example_run_id: string | null;
}

const LOCKED = `probe.id::text, problem_id::text, run_id::text, "by", reason, most_tries, status, ${IS_DRIVEN} as driven,
      extract(epoch from next_at - clock_timestamp())::float8 * 1000 as next_in_ms,
      (select status from handrail.problem where problem.id = problem_id) as problem_status,
      (select example_run_id::text from handrail.problem where problem.id = problem_id) as example_run_id`;

const lockStatement: Statement = {
  name: "lock-probe",
  text: `select ${LOCKED} from handrail.probe where id = $1::uuid for no key update`,
};

/** The first lock of every turn, and of a stop: of two processes that drive the probe, the second sees what the first did. */
export async function lockProbe(tx: Db, id: string): Promise<LockedProbe | undefined> {
  return (await tx.query<LockedProbe>(lockStatement, [id]))[0];
}

const lockRunningStatement: Statement = {
  name: "lock-running-probe",
  text: `select ${LOCKED} from handrail.probe where problem_id = $1::uuid and status = 'running' for no key update`,
};

/** The problem's probe that has not ended. */
export async function lockRunningProbe(tx: Db, problemId: string): Promise<LockedProbe | undefined> {
  return (await tx.query<LockedProbe>(lockRunningStatement, [problemId]))[0];
}

const runningStatement: Statement = {
  name: "running-probe",
  text: `select from handrail.probe where problem_id = $1::uuid and status = 'running'`,
};

/** Under the problem's lock: whether another request has begun one meanwhile. */
export const runningProbe = async (tx: Db, problemId: string): Promise<boolean> =>
  (await tx.query(runningStatement, [problemId])).length > 0;

interface NewProbe {
  id: string;
  problemId: string;
  by: Caller;
  reason: string;
  mostTries: number;
}

const insertStatement: Statement = {
  name: "insert-probe",
  text: `
    insert into handrail.probe (id, problem_id, run_id, "by", reason, most_tries)
    values ($1::uuid, $2::uuid, $3::uuid, $4::jsonb, $5, $6::int)`,
};

/** With the run that drives it. The transaction holds the problem, so that it gets one probe at a time. Returns the run's id. */
export async function insertProbe(tx: Db, { id, problemId, by, reason, mostTries }: NewProbe): Promise<string> {
  const { id: runId } = await insertRunOnce(tx, {
    workflow: PROBE_WORKFLOW,
    version: 1,
    input: encodeValue({ probeId: id }),
    tags: { probe: id },
    idempotencyKey: id,
    runTitle: null,
    runAt: null,
    delayMs: null,
    priority: 0,
    queueKey: null,
    debounce: null,
  });
  await tx.query(insertStatement, [id, problemId, runId, JSON.stringify(by), reason, mostTries]);
  return runId;
}

const tryStatement: Statement = {
  name: "insert-probe-try",
  text: `
    with begun as (
      update handrail.probe set next_at = null where id = $1::uuid returning id
    )
    insert into handrail.probe_try (probe_id, number, run_id, step)
    select id, 1 + (select count(*) from handrail.probe_try where probe_id = $1::uuid), $2::uuid, $3 from begun`,
};

/** Before the rerun, in its transaction, which holds the probe and the run: whatever the run does comes later. */
export async function insertTry(tx: Db, probeId: string, runId: string, step: string | null): Promise<void> {
  await tx.query(tryStatement, [probeId, runId, step]);
}

const endTryStatement: Statement = {
  name: "end-probe-try",
  text: `
    with ended as (
      update handrail.probe_try set outcome = $2, because = $3, ended_at = clock_timestamp()
      where probe_id = $1::uuid and outcome is null
    )
    update handrail.probe set next_at = case when $4::float8 is not null then clock_timestamp() + $4::float8 * interval '1 ms' end
    where id = $1::uuid`,
};

/** `pauseMs`: until the next rerun; null: none follows. The transaction holds the probe. */
export async function endTry(
  tx: Db,
  probeId: string,
  { outcome, because, pauseMs }: { outcome: TryOutcome; because: string | null; pauseMs: number | null },
): Promise<void> {
  await tx.query(endTryStatement, [probeId, outcome, because, pauseMs]);
}

const endStatement: Statement = {
  name: "end-probe",
  text: `
    with ended as (
      update handrail.probe set status = $2, because = $3, next_at = null, ended_at = clock_timestamp()
      where id = $1::uuid and status = 'running' returning problem_id, because
    ), locked as (
      select id, because from handrail.problem join ended on ended.problem_id = id for no key update of problem
    )
    insert into handrail.problem_history (problem_id, what, text)
    select id, case when $2 = 'through' then 'probe_through' else 'probe_ended' end,
      coalesce(because, 'A rerun got through the failing step.') from locked`,
};

/**
 * Also in the problem's history. The transaction holds the probe. `because`: null for one that got through. A rerun that is
 * under way goes on by itself.
 */
export async function endProbe(tx: Db, id: string, status: ProbeStatus, because: string | null): Promise<void> {
  await tx.query(endStatement, [id, status, because]);
}

interface LastTry extends Omit<TriedRun, "problemId"> {
  number: number;
  runId: string;
  outcome: TryOutcome | null;
  problemId: string | null;
}

/*
 * Its failure counts as soon as it is folded: then its problem has it since an instant after the rerun. Until then it may
 * still be in the problem that it had before.
 */
const lastTryStatement: Statement = {
  name: "last-probe-try",
  text: `
    select tried.number, tried.run_id::text as "runId", tried.outcome, run.status,
      extract(epoch from clock_timestamp() - tried.at)::float8 * 1000 as "sinceMs",
      exists (select from handrail.step where step.run_id = tried.run_id and status = 'unknown' and superseded_by is null) as "hasUnknown",
      exists (select from handrail.step where step.run_id = tried.run_id and name = tried.step and status = 'completed' and attempt > 0
        and superseded_by is null and finished_at > tried.at) as "gotThrough",
      case when run.status = 'failed' then (select problem_id::text from handrail.problem_run as held
        where held.run_id = tried.run_id and left_at is null and since > tried.at) end as "problemId"
    from handrail.probe_try as tried left join handrail.run on run.id = tried.run_id
    where tried.probe_id = $1::uuid
    order by tried.number desc limit 1`,
};

/** With its run as it is now. */
export async function lastTry(tx: Db, probeId: string): Promise<LastTry | undefined> {
  return (await tx.query<LastTry>(lastTryStatement, [probeId]))[0];
}

const namesStatement: Statement = {
  name: "names-of-run",
  text: `select ${namedRun("run")} as named from handrail.run where id = $1::uuid`,
};

/** What people call the run; null when it no longer exists. */
export const namesOfRun = async (db: Db, runId: string): Promise<RunNaming | null> =>
  (await db.query<{ named: RunNaming }>(namesStatement, [runId]))[0]?.named ?? null;

const triedStatement: Statement = {
  name: "runs-of-probe",
  text: `select run_id::text from handrail.probe_try where probe_id = $1::uuid order by number`,
};

/** The runs that it has rerun, in order; one may occur more than once. */
export const triedRuns = async (db: Db, probeId: string): Promise<string[]> =>
  (await db.query<{ run_id: string }>(triedStatement, [probeId])).map(({ run_id }) => run_id);

export interface ProbeRow extends Omit<LockedProbe, "next_in_ms" | "problem_status" | "example_run_id"> {
  because: string | null;
  next_at: RowInstant | null;
  started_at: RowInstant;
  ended_at: RowInstant | null;
  tries: {
    number: number;
    runId: string;
    named: RunNaming | null;
    at: string;
    outcome: TryOutcome | null;
    because: string | null;
    endedAt: string | null;
  }[];
}

const ofProblemStatement: Statement = {
  name: "probes-of-problem",
  text: `
    select probe.*, probe.id::text, probe.problem_id::text, probe.run_id::text, ${IS_DRIVEN} as driven,
      coalesce((select json_agg(json_build_object('number', tried.number, 'runId', tried.run_id, 'named', ${namedRun("run")},
          'at', tried.at, 'outcome', tried.outcome, 'because', tried.because, 'endedAt', tried.ended_at) order by tried.number)
        from handrail.probe_try as tried left join handrail.run on run.id = tried.run_id where tried.probe_id = probe.id), '[]') as tries
    from handrail.probe where problem_id = $1::uuid order by probe.id desc limit $2::int`,
};

/** Newest first. */
export const listProbes = (db: Db, problemId: string, limit: number): Promise<ProbeRow[]> =>
  db.query<ProbeRow>(ofProblemStatement, [problemId, limit]);
