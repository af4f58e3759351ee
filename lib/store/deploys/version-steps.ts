import { idAt } from "../../engine/runs/run-ids";
import type { DeclaredVersion, SeenStep } from "../../engine/workflows/version-changes";
import type { Db, Statement } from "../db";

/** Runs of a version whose steps are read, and how many of all versions are looked through to find them. */
const RUNS_OF_A_VERSION = 50;
const LOOKED_THROUGH = 2_000;
/** Steps read of one run: a loop may have thousands. */
const STEPS_OF_A_RUN = 300;

export interface VersionRow extends DeclaredVersion {
  version: number;
  registered_at: Date;
}

const versionsStatement: Statement = {
  name: "declared-versions",
  text: `
    select version, registered_at, input_schema, limits, retention, masked, four_eyes, events
    from handrail.workflow where name = $1 order by version desc limit 200`,
};

/** Newest first. */
export const declaredVersions = (db: Db, workflow: string) => db.query<VersionRow>(versionsStatement, [workflow]);

/**
 * The steps of the last runs that one version alone executed, of those that were started before an instant: when the
 * next version came. In the order in which they begin.
 */
const stepsStatement: Statement = {
  name: "steps-of-version",
  text: `
    with past as (
      select id, version, code_version from handrail.run
      where workflow = $1 and id < $3::uuid order by id desc limit ${LOOKED_THROUGH}
    ), seen as (
      select id from past where version = $2::int and code_version is null order by id desc limit ${RUNS_OF_A_VERSION}
    ), steps as (
      select seen.id as run_id, step.* from seen cross join lateral (
        select name, kind, effect, max_attempts, compensation_mode, can_ask, position from handrail.step
        where run_id = seen.id order by generation desc, position limit ${STEPS_OF_A_RUN}) as step
    ), latest as (
      select distinct on (name) * from steps order by name, run_id desc
    )
    select (select count(*)::int from seen) as runs, coalesce(
      (select json_agg(latest order by position, name) from latest), '[]') as steps`,
};

/** @param beforeMs null: until now */
export async function stepsOfVersion(db: Db, workflow: string, version: number, beforeMs: number | null) {
  const before = beforeMs === null ? "ffffffff-ffff-ffff-ffff-ffffffffffff" : idAt(beforeMs, "0");
  const [row] = await db.query<{ runs: number; steps: SeenStep[] }>(stepsStatement, [workflow, version, before]);
  return row ?? { runs: 0, steps: [] };
}
