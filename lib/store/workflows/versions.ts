import type { Db, Statement } from "../db";
import { AS_OF } from "../standby/as-of";
import { NEEDS } from "./fitting-versions";

/*
 * Guarantee: recorded before anything is run by the other version, or the claim is lost and nothing is run. Sent again,
 * it changes nothing. Races with: holders of the run's row (the update waits, and compares the epoch on what it finds
 * then).
 */
const changeStatement: Statement = {
  name: "change-version",
  text: `
    with held as (
      update handrail.run set code_version = $3::int
      where id = $1::uuid and epoch = $2::bigint and worker_id is not null
      returning id, generation
    ), kept as (
      insert into handrail.version_change (run_id, epoch, generation, version)
      select id, $2::bigint, generation, $3::int from held
      on conflict do nothing
    )
    select exists (select from held) as held`,
};

/** From this claim on, another version of the code continues the run. False: the claim is lost. */
export async function changeVersion(db: Db, runId: string, epoch: number, version: number): Promise<boolean> {
  const [row] = await db.query<{ held: boolean }>(changeStatement, [runId, epoch, version]);
  return row?.held ?? false;
}

const chooseStatement: Statement = {
  name: "choose-version",
  text: `update handrail.run set chosen_version = $2::int where id = $1::uuid`,
};

/** From then on, only workers that have this version claim the run. The caller's transaction holds it. */
export async function chooseVersion(tx: Db, runId: string, version: number): Promise<void> {
  await tx.query(chooseStatement, [runId, version]);
}

const moveStatement: Statement = {
  name: "move-run",
  text: `update handrail.run set chosen_version = $2::int, revision = revision + 1 where id = $1::uuid and worker_id is null`,
};

/** The same for a run that has not ended and has no owner: its next claim is by such a worker. */
export async function moveRun(tx: Db, runId: string, version: number): Promise<void> {
  await tx.query(moveStatement, [runId, version]);
}

const LIVE = `stopped_at is null and stopping_at is null and lease_expires_at > ${AS_OF}`;

/**
 * Whether a live worker can claim a row `run` of `handrail.run`, at once or after the wait for its version
 * (fitting-versions.ts).
 */
export const WORKER_AVAILABLE = `exists (select from handrail.worker
        where ${LIVE} and run.workflow = any (worker.workflows) and case
          when run.chosen_version is not null then worker.versions -> run.workflow @> to_jsonb(run.chosen_version)
          when run.started_at is not null then true
          else exists (select from jsonb_array_elements(worker.versions -> run.workflow) as its (number) where number::int >= ${NEEDS}) end)`;

/** Ids of the payload keys that live workers of a row `run` have. */
export const LIVE_PAYLOAD_KEYS = `array(select distinct unnest(payload_keys) from handrail.worker
        where ${LIVE} and run.workflow = any (worker.workflows))`;

const liveStatement: Statement = {
  name: "live-versions",
  text: `
    select distinct version::int as version
    from handrail.worker, jsonb_array_elements(worker.versions -> $1) as version
    where ${LIVE}
    order by version`,
};

/** The versions of a workflow that live workers have, in ascending order. */
export async function liveVersions(db: Db, workflow: string): Promise<number[]> {
  const rows = await db.query<{ version: number }>(liveStatement, [workflow]);
  return rows.map(({ version }) => version);
}
