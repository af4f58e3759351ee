import { isDeepStrictEqual } from "node:util";
import { effectiveSpec, type Schedule } from "../../engine/schedules/schedule";
import { nextAfter } from "../../engine/schedules/timing";
import type { Db, Statement } from "../db";
import { type LockedSchedule, lookAtFor } from "./schedule-rows";

/*
 * Guarantee: of any number of puts of one new name, one inserts. Races with: the same in other sessions, and a worker
 * that registers the name from its code; the loser waits on the primary key, and then finds the row.
 */
const insertStatement: Statement = {
  name: "insert-run-time-schedule",
  text: `
    insert into handrail.schedule (name, workflow, title, definition, nominal_at, look_at, at_run_time)
    values ($1, $2, $3, $4::jsonb, $5::timestamptz, $5::timestamptz, true)
    on conflict (name) do nothing
    returning name`,
};

/** Begins with its next time from now on. False if there is one of this name. */
export async function insertSchedule(tx: Db, { name, workflow, title, spec }: Schedule, now: Date): Promise<boolean> {
  const next = nextAfter(spec.timing, now).toISOString();
  const rows = await tx.query(insertStatement, [name, workflow, title, JSON.stringify(spec), next]);
  return rows.length > 0;
}

const inCodeStatement: Statement = {
  name: "is-schedule-in-code",
  text: `
    select exists (
      select from handrail.worker where $1 = any (schedules)
        and coalesce(stopped_at, lease_expires_at) > clock_timestamp() - interval '10 minutes'
    ) as found`,
};

/** Whether a worker has code that defines it, or had within the last ten minutes. */
export async function isInCode(tx: Db, name: string): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(inCodeStatement, [name]);
  return row?.found === true;
}

const redefineStatement: Statement = {
  name: "redefine-run-time-schedule",
  text: `
    update handrail.schedule set workflow = $2, title = $3, definition = $4::jsonb, revision = revision + 1, at_run_time = true,
      nominal_at = case when paused_at is null then coalesce($5::timestamptz, nominal_at) end,
      look_at = case when paused_at is not null then null when $5::timestamptz is null then look_at
        else ${lookAtFor("$5::timestamptz")} end
    where name = $1`,
};

/** Continues from now by the new times, if they are others; people's overrides and a pause stay. The transaction holds it. */
export async function redefineSchedule(tx: Db, { name, workflow, title, spec }: Schedule, held: LockedSchedule) {
  const after = effectiveSpec(spec, held.override).timing;
  const same = isDeepStrictEqual(after, effectiveSpec(held.definition, held.override).timing);
  const next = same ? null : nextAfter(after, held.now).toISOString();
  await tx.query(redefineStatement, [name, workflow, title, JSON.stringify(spec), next]);
}

/* What it has fired stays, with its runs; only the time that waits for the end of a run goes. */
const removeStatement: Statement = {
  name: "remove-run-time-schedule",
  text: `
    with unfired as (
      delete from handrail.firing where schedule = $1 and status = 'queued'
    )
    delete from handrail.schedule where name = $1`,
};

/** The transaction holds it: a worker that fires it has committed, or finds it gone. */
export async function removeSchedule(tx: Db, name: string): Promise<void> {
  await tx.query(removeStatement, [name]);
}
