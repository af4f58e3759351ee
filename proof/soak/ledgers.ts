import type { Pool } from "pg";
import { ACCOUNTS, CHILDREN } from "./workflows";

/*
 * What happened, apart from the engine's tables, which retention empties: starts that were acknowledged, by the client; ends,
 * deletions and starts by other runs and schedules, by triggers; credits, by the app's transactions. None has a key: what happens
 * twice is there twice.
 */
const LEDGERS = `
  create schema soak;
  create table soak.acknowledged (run_id uuid not null, workflow text not null);
  create table soak.ended (run_id uuid not null, status text not null);
  create table soak.deleted (run_id uuid not null, status text not null);
  create table soak.begun (run_id uuid not null, why text not null);
  create table soak.account (id integer primary key, balance bigint not null default 0) with (fillfactor = 50);
  create table soak.credit (run_id uuid not null, account_id integer not null, begun_at timestamptz not null,
    ended_at timestamptz not null default clock_timestamp());
  insert into soak.account (id) select generate_series(0, ${ACCOUNTS - 1});

  create function soak.note_end() returns trigger language plpgsql as $$
  begin insert into soak.ended values (new.id, new.status); return null; end $$;
  create trigger soak_end after update on handrail.run for each row
    when (new.finished_at is not null and old.finished_at is distinct from new.finished_at) execute function soak.note_end();

  create function soak.note_deletion() returns trigger language plpgsql as $$
  begin insert into soak.deleted values (old.id, old.status); return null; end $$;
  create trigger soak_deletion after delete on handrail.run for each row execute function soak.note_deletion();

  create function soak.note_begin() returns trigger language plpgsql as $$
  begin
    insert into soak.begun values (new.id, case when new.schedule is null then 'child ' || new.parent_run_id || ' ' || new.parent_step
      else 'schedule ' || new.schedule || ' ' || new.scheduled_at end);
    return null;
  end $$;
  create trigger soak_begin after insert on handrail.run for each row
    when (new.parent_run_id is not null or new.schedule is not null) execute function soak.note_begin()`;

export const openLedgers = (pool: Pool) => pool.query(LEDGERS);

/** Of the client, after the answer to its starts. */
export async function acknowledge(pool: Pool, starts: readonly { id: string; workflow: string }[]): Promise<void> {
  await pool.query({
    name: "acknowledge",
    text: "insert into soak.acknowledged select * from unnest($1::uuid[], $2::text[])",
    values: [starts.map(({ id }) => id), starts.map(({ workflow }) => workflow)],
  });
}

/** What the ledgers say together. */
export interface Ledgers {
  acknowledged: number;
  /** Acknowledged or begun, without an end. */
  notEnded: number;
  endedTwice: number;
  /** Of those that ended. */
  notCompleted: number;
  deleted: number;
  /** Before an end, or twice. */
  deletedWrongly: number;
  /** Ended, and gone without a deletion. */
  vanished: number;
  credits: number;
  /** Credits of no run that was to credit, or a second one. */
  creditsTooMany: number;
  creditsMissing: number;
  /** Credits of an account that began before another one of it had ended. */
  creditsAtOnce: number;
  /** Of all accounts together: the balances less the ledger. */
  balanceOff: number;
  children: number;
  childrenExpected: number;
  fires: number;
  /** Children of one step, or runs of one time of a schedule, beyond the first. */
  begunTwice: number;
}

/* Without indexes and counts of rows, PostgreSQL would compare millions of rows with each other one by one. */
const INDEXES = ["acknowledged", "ended", "deleted", "begun", "credit"]
  .map((ledger) => `create index on soak.${ledger} (run_id); analyze soak.${ledger};`)
  .join("\n");

const COMPARISON = `
  with known as (select run_id from soak.acknowledged union select run_id from soak.begun), in_turn as (
    select begun_at, max(ended_at) over (partition by account_id order by begun_at rows between unbounded preceding and 1 preceding) as before
    from soak.credit)
  select (select count(*) from soak.acknowledged)::int as acknowledged,
    (select count(*) from known where not exists (select from soak.ended where ended.run_id = known.run_id))::int as "notEnded",
    (select count(*) - count(distinct run_id) from soak.ended)::int as "endedTwice",
    (select count(*) from soak.ended where status <> 'completed')::int as "notCompleted",
    (select count(*) from soak.deleted)::int as deleted,
    ((select count(*) - count(distinct run_id) from soak.deleted) + (select count(*) from soak.deleted
      where not exists (select from soak.ended where ended.run_id = deleted.run_id)))::int as "deletedWrongly",
    (select count(*) from known where not exists (select from handrail.run where run.id = known.run_id)
      and not exists (select from soak.deleted where deleted.run_id = known.run_id))::int as vanished,
    (select count(*) from soak.credit)::int as credits,
    ((select count(*) - count(distinct run_id) from soak.credit) + (select count(*) from soak.credit
      where not exists (select from soak.acknowledged where acknowledged.run_id = credit.run_id and workflow = 'credit')))::int as "creditsTooMany",
    (select count(*) from soak.acknowledged where workflow = 'credit'
      and not exists (select from soak.credit where credit.run_id = acknowledged.run_id))::int as "creditsMissing",
    (select count(*) from in_turn where begun_at < before)::int as "creditsAtOnce",
    ((select sum(balance) from soak.account) - (select count(*) from soak.credit))::int as "balanceOff",
    (select count(distinct why) from soak.begun where why like 'child %')::int as children,
    (select count(*) * ${CHILDREN} from soak.acknowledged where workflow = 'family')::int as "childrenExpected",
    (select count(distinct why) from soak.begun where why like 'schedule %')::int as fires,
    (select count(*) - count(distinct why) from soak.begun)::int as "begunTwice"`;

/** Once, after the load. */
export async function compareLedgers(pool: Pool): Promise<Ledgers> {
  await pool.query(INDEXES);
  const { rows } = await pool.query<Ledgers>(COMPARISON);
  return rows[0] as Ledgers;
}

/** Runs without an end. */
export async function liveRuns(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ live: number }>(
    "select count(*)::int as live from handrail.run where status in ('pending', 'running', 'waiting', 'paused', 'compensating')",
  );
  return rows[0]?.live ?? 0;
}
