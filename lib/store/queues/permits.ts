import { sha256 } from "../../engine/digest";
import type { LimitPlan } from "../../engine/queues/step-limit";
import type { Db, Statement } from "../db";

/** The attempt of a step that needs permits, and the claim that they are for. */
export interface PermitAsker {
  runId: string;
  epoch: number;
  step: string;
  generation: number;
  attempt: number;
}

export type LimitKey = Pick<LimitPlan, "name" | "key">;

/** Null `dueAt`: it has its permits. Otherwise when to ask again, as the database writes instants, and as a delay. */
export interface PermitAnswer {
  /** False: the run has another owner now. */
  owned: boolean;
  dueAt: string | null;
  dueInMs: number | null;
  /** Runs that wait for what is free, and are to ask now. */
  called: string[];
}

/*
 * Guarantee: at no time are there more permits of a limit and key in use than its concurrency, and in no period more given than its rate,
 * by the database's clock. A permit in use is an attempt without an outcome, of a claim that lasts: it is free with the record of the
 * outcome, or when the run is taken over. Races with: the same for other runs (the limit's row; several are locked in one order),
 * takeovers (the epoch is compared under that lock), this statement sent again after a lost answer (it finds its permits). Waits for no
 * row of a run.
 */
const takeStatement: Statement = {
  name: "take-permits",
  text: `
    select owned, due_at::text as "dueAt", (extract(epoch from due_at - clock_timestamp()) * 1000)::float8 as "dueInMs", called::text[]
    from handrail.take_permits($1::uuid, $2, $3::int, $4::int, $5::bigint, $6::text[], $7::text[], $8::int[], $9::int[], $10::float8[])`,
};

/** A permit of each limit, or none and a place in the line of those that have none free. */
export async function takePermits(
  db: Db,
  { runId, step, generation, attempt, epoch }: PermitAsker,
  limits: readonly LimitPlan[],
): Promise<PermitAnswer> {
  const [answer] = await db.query<PermitAnswer>(takeStatement, [
    ...[runId, step, generation, attempt, epoch],
    ...keyValues(limits),
    limits.map(({ concurrency }) => concurrency),
    limits.map(({ rateLimit }) => rateLimit?.limit ?? null),
    limits.map(({ rateLimit }) => rateLimit?.perMs ?? null),
  ]);
  return answer as PermitAnswer;
}

const callStatement: Statement = {
  name: "call-for-permits",
  text: `select handrail.call_for_permits($1::text[], $2::text[])::text[] as called`,
};

/** After permits of these limits may have come free: the runs that are to ask now. If they do not, they are not waited for. */
export async function callForPermits(db: Db, limits: readonly LimitKey[]): Promise<string[]> {
  const [row] = await db.query<{ called: string[] }>(callStatement, keyValues(limits));
  return row?.called ?? [];
}

/** Keys as digests: they may be made of values that their workflow masks, and outlive the run. */
const keyValues = (limits: readonly LimitKey[]) => [
  limits.map(({ name }) => name),
  limits.map(({ key }) => (key === "" ? "" : sha256(key).slice(0, 32))),
];

/*
 * Races with: the claim's own records (the lock of its row): a run at rest becomes due; one with a worker gets `woken_at`, which the record
 * that ends its pass reads under the same lock. A run that waits for a slot of its queue asks when it has one.
 */
const wakeStatement: Statement = {
  name: "wake-for-permit",
  text: `
    update handrail.run set
      due_at = case status when 'waiting' then least(due_at, clock_timestamp()) end,
      woken_at = case status when 'running' then clock_timestamp() end
    where id = $1::uuid and status in ('waiting', 'running') and waiting_kind is distinct from 'slot'
      and exists (select from handrail.permit_wait where run_id = run.id)`,
};

/** One run a statement: with several locked, two callers could wait for each other. */
export async function wakeForPermit(db: Db, runId: string): Promise<void> {
  await db.query(wakeStatement, [runId]);
}

/* Races with: takers, which lock the row (left out), or insert it anew. No period is longer than a day. */
const deleteStatement: Statement = {
  name: "delete-unused-limits",
  text: `
    with unused as (
      select name, key from handrail.step_limit
      where used_at < (select clock_timestamp()) - interval '2 days'
        and not exists (select from handrail.permit_wait where limit_name = name and limit_key = key)
        and not exists (select from handrail.permit where limit_name = name and limit_key = key and handrail.permit_is_held(permit))
      order by used_at limit $1::int for update skip locked
    ), no_permit as (
      delete from handrail.permit using unused where limit_name = name and limit_key = key
    ), gone as (
      delete from handrail.step_limit using unused where step_limit.name = unused.name and step_limit.key = unused.key
      returning 1
    )
    select count(*)::int as deleted from gone`,
};

/** Limits and keys that no step has asked for lately. Returns how many were deleted, at most `limit`. */
export async function deleteUnusedLimits(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(deleteStatement, [limit]);
  return row?.deleted ?? 0;
}
