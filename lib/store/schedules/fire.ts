import { v7 as uuidv7 } from "uuid";
import { isHandrailError } from "../../engine/errors";
import { singletonConflict } from "../../engine/queues/singleton";
import type { RunToStart } from "../../engine/runs/start";
import { type Db, type Statement, sqlState } from "../db";
import { sealed } from "../payloads";
import { holdersOf, isSingletonConflict } from "../runs/singleton";
import { nameOf } from "../runs/starter";
import { storedTags } from "../tag-values";
import type { FiringCause, FiringStatus } from "./schedule-rows";

/** The result of one nominal time of a schedule. */
export interface Firing {
  schedule: string;
  nominalAt: Date;
  cause: FiringCause;
  /** `started` has a run; the others but `queued` say why not. */
  status: FiringStatus;
  reason?: string;
  run?: RunToStart;
}

/*
 * Guarantee: a nominal time of a schedule starts one run at the most, however often it is fired: the run is inserted
 * only together with the row of the nominal time, and a row that has a run keeps it. Races with: no other firing by
 * time, since each holds the schedule; the same nominal time from a backfill or an operator waits on the primary key.
 */
const fireStatement: Statement = {
  name: "fire",
  text: `
    with given as (
      select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::text[],
          $8::int[], $9::text[], $10::jsonb[], $11::int[], $12::text[], $13::text[], $14::text[], $15::text[])
        as given (schedule, nominal_at, cause, status, reason, run_id, workflow, version, input, tags, priority, queue_key, run_title, trace, singleton_key)
    ), fired as (
      insert into handrail.firing (schedule, nominal_at, cause, status, reason, run_id)
      select schedule, nominal_at, cause, status, reason, run_id from given
      on conflict (schedule, nominal_at) do update set
          cause = excluded.cause, status = excluded.status, reason = excluded.reason, run_id = excluded.run_id,
          fired_at = clock_timestamp()
        where firing.run_id is null
      returning run_id
    ), started as (
      insert into handrail.run (id, workflow, version, input, tags, priority, queue_key, run_title, schedule, scheduled_at, trace, singleton_key)
      select given.run_id, workflow, version, input, tags, priority, queue_key, run_title, schedule, nominal_at, trace, singleton_key
      from given join fired using (run_id)
      returning id, tags
    ), tagged as (
      insert into handrail.run_tag (name, value, run_id)
      select tag.key, tag.value, started.id from started, jsonb_each_text(started.tags) tag
    )
    select id::text from started`,
};

/**
 * Returns the ids of the runs that were started: none for a nominal time that already has its run, or whose singleton
 * key another live run has.
 * @throws HandrailError `singleton_conflict` if such a run was started at this moment: nothing is written, try again
 */
export async function writeFirings(tx: Db, asked: readonly Firing[]): Promise<string[]> {
  if (asked.length === 0) return [];
  const firings = await oneOfEachKey(tx, asked);
  const ids = firings.map(({ run }) => (run ? uuidv7() : null));
  const rows = await tx
    .query<{ id: string }>(fireStatement, [
      firings.map(({ schedule }) => schedule),
      firings.map(({ nominalAt }) => nominalAt.toISOString()),
      firings.map(({ cause }) => cause),
      firings.map(({ status }) => status),
      firings.map(({ reason }) => reason ?? null),
      ids,
      firings.map(({ run }) => run?.workflow ?? null),
      firings.map(({ run }) => run?.version ?? null),
      firings.map(({ run }, index) => (run ? sealed([ids[index] as string, "input"], run.input) : null)),
      firings.map(({ run }) => (run ? storedTags(run.tags) : null)),
      firings.map(({ run }) => run?.priority ?? null),
      firings.map(({ run }) => run?.queueKey ?? null),
      firings.map(({ run }) => run?.runTitle ?? null),
      firings.map(({ run }) => run?.trace ?? null),
      firings.map(({ run }) => run?.singleton?.key ?? null),
    ])
    .catch((error: unknown) => {
      if (isSingletonConflict(error)) throw singletonConflict(firings[0]?.run?.workflow ?? "", null);
      throw error;
    });
  return rows.map(({ id }) => id);
}

/** A firing waits so long for a transaction that may start a run with its singleton key, or write the same nominal time. */
const MAX_WAIT_MS = 100;

const boundWaitStatement: Statement = {
  name: "bound-wait-of-firings",
  text: `select set_config('lock_timeout', '${MAX_WAIT_MS}', true)`,
};

/** From here on, the transaction fails where it would wait for longer. */
export const boundWait = (tx: Db): Promise<unknown> => tx.query(boundWaitStatement, []);

const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK = "40P01";

/** Nothing was written because of another transaction: it may end at any time. */
export const isHeldBack = (error: unknown): boolean =>
  [LOCK_NOT_AVAILABLE, DEADLOCK].includes(sqlState(error) ?? "") ||
  (isHandrailError(error) && error.code === "singleton_conflict");

/** Without the runs whose singleton key is taken, by a live run or by an earlier one of these: those are skipped. */
async function oneOfEachKey(tx: Db, firings: readonly Firing[]): Promise<Firing[]> {
  const keyOf = ({ run }: Firing) => run?.singleton && { workflow: run.workflow, key: run.singleton.key };
  const keys = firings.flatMap((firing) => keyOf(firing) ?? []);
  const taken = await holdersOf(tx, keys);
  return firings.map((firing) => {
    const key = keyOf(firing);
    if (!key) return firing;
    const name = nameOf(key.workflow, key.key);
    const holder = taken.get(name);
    if (holder === undefined) taken.set(name, "");
    if (holder === undefined) return firing;
    const { run: _, ...rest } = firing;
    return { ...rest, status: "skipped", reason: singletonConflict(key.workflow, holder || null).message };
  });
}
