import type { OpenWait } from "../../engine/events/match-events";
import { ERASED_VALUE } from "../../engine/privacy/erased";
import type { StepStatus } from "../../engine/steps/step";
import type { TraceText } from "../../engine/traces/trace-context";
import type { Db, Statement } from "../db";
import { opened } from "../payloads";

/** The question of an approval. */
export interface Question {
  text: string;
  choices: readonly string[];
  /** As the codec writes values. */
  data: string;
}

/** A step that waits for an event, of one run. */
export interface AskedWait {
  step: string;
  generation: number;
  event: string;
  key: string | null;
  /** As `planFilter` writes it; null: every event fits. */
  filter: string | null;
  question: Question | null;
  takesAgain: boolean;
}

/** The state of such a step, and the event for it. */
export interface Standing extends OpenWait {
  /** Null: it is not recorded. */
  status: StepStatus | null;
  output: string | null;
  error: string | null;
  dueAt: string | null;
  dueInMs: number | null;
  now: Date;
  /** When to check again if an older waiter comes first; as the database writes instants. */
  lookAgainAt: string;
  /** The wait is on record with another event, key or filter: the code has changed since. Senders wake by the recorded ones. */
  altered: boolean;
}

export interface TakenEvent {
  seq: number;
  payload: string;
  sentBy: string | null;
  sentAt: Date;
  /** Of the span that sent it; null: none. */
  trace: TraceText | null;
}

/** An older waiter takes an event within moments, unless its run has just ended or has no worker. */
export const LOOK_AGAIN_MS = 5_000;

const lockKeysStatement: Statement = {
  name: "lock-event-keys",
  text: `
    insert into handrail.event_key (name, key)
    select distinct name, key from unnest($1::text[], $2::text[]) as given (name, key) order by name, key
    on conflict (name, key) do update set used_at = clock_timestamp()`,
};

const lockRunStatement: Statement = {
  name: "lock-run-for-events",
  text: `
    select epoch = $2::bigint and worker_id is not null as holds, woken_at is not null as woken
    from handrail.run where id = $1::uuid
    for no key update`,
};

// Not while it also waits for something else: what woke it may be a child's end, an answer or a permit, which are not looked at here.
const calmStatement: Statement = {
  name: "calm-run",
  text: `
    update handrail.run set woken_at = null where id = $1::uuid and not exists (
      select from handrail.step
      where step.run_id = run.id and kind in ('child', 'event', 'approval') and status = 'waiting' and superseded_by is null
        and (kind = 'child' or name <> all ($2::text[])))
      and not exists (select from handrail.permit_wait where permit_wait.run_id = run.id)`,
};

/**
 * Locks what every sender of such an event locks, in the same order: keys, then the run. Later senders wake the run,
 * for its waits are recorded by then; the next statement sees the events of earlier ones. False: the claim is lost.
 */
export async function lockForEvents(tx: Db, runId: string, epoch: number, waits: readonly AskedWait[]) {
  await lockEventKeys(tx, waits);
  const [run] = await tx.query<{ holds: boolean; woken: boolean }>(lockRunStatement, [runId, epoch]);
  if (run?.holds && run.woken) await tx.query(calmStatement, [runId, waits.map(({ step }) => step)]);
  return run?.holds ?? false;
}

/** The first of these locks, for callers that lock the run themselves after it. */
export async function lockEventKeys(tx: Db, waits: readonly Pick<AskedWait, "event" | "key">[]): Promise<void> {
  const keyed = waits.filter(({ key }) => key !== null);
  if (keyed.length > 0)
    await tx.query(lockKeysStatement, [keyed.map(({ event }) => event), keyed.map(({ key }) => key)]);
}

/** The first free events of the wait's key that fit a filter and are not erased. No waiter needs more than there are waiters before it, and one. */
const ofKey = (filter: string, limit: string) => `array(select event.seq::float8 from handrail.event
        where event.key = given.key and event.name = given.event and event.taken_by is null
          and event.payload <> '${ERASED_VALUE}' and handrail.event_fits(event.payload, ${filter})
        order by event.seq limit ${limit})`;

const lookStatement: Statement = {
  name: "look-for-events",
  text: `
    select step.status, step.output, step.error, step.next_attempt_at::text as "dueAt",
      (extract(epoch from step.next_attempt_at - clock_timestamp()) * 1000)::float8 as "dueInMs",
      clock_timestamp() as now, (clock_timestamp() + $7::int * interval '1 ms')::text as "lookAgainAt",
      own.seq, older.fitting as older,
      own.seq is not null and (own.event, own.key, own.filter) is distinct from (given.event, given.key, given.filter) as altered,
      (select event.seq from handrail.event where given.takes_again and event.taken_by = $1::uuid
        and event.taken_step = given.step and event.name = given.event and event.taken_generation < given.generation
          and handrail.event_fits(event.payload, given.filter)
        order by event.taken_generation desc limit 1) as again,
      array(select event.seq::float8 from handrail.event
        where event.run_id = $1::uuid and event.name = given.event and event.taken_by is null
          and handrail.event_fits(event.payload, given.filter)
        order by event.seq limit given.namesakes) as "forRun",
      ${ofKey("given.filter", "given.alike + older.count")} as "forKey",
      case when given.filter is not null and older.count > 0 then
        ${ofKey("null", "given.alike + older.count")} end as "ofKey"
    from (
      -- What is sent to the run is for all of its waits for the event, whatever their keys.
      select *, count(*) over (partition by event, key) as alike, count(*) over (partition by event) as namesakes
      from unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::boolean[], $8::jsonb[])
        with ordinality as given (step, generation, event, key, takes_again, filter, place)
    ) as given
    left join handrail.step on step.run_id = $1::uuid and step.name = given.step and step.generation = given.generation
    left join handrail.event_wait as own
      on own.run_id = $1::uuid and own.step = given.step and own.generation = given.generation
    cross join lateral (
      select count(*) as count, coalesce(json_agg(
        case when rival.filter is not null then ${ofKey("rival.filter", "given.alike + rival.many")} end order by rival.seq), '[]') as fitting
      from (select other.seq, other.filter, count(*) over () as many from handrail.event_wait as other
      join handrail.step as asking
        on asking.run_id = other.run_id and asking.name = other.step and asking.generation = other.generation
      join handrail.run on run.id = other.run_id
      where other.event = given.event and other.key = given.key and other.closed_at is null
        and other.run_id <> $1::uuid and other.seq < coalesce(own.seq, ${Number.MAX_SAFE_INTEGER})
        and asking.status = 'waiting' and asking.superseded_by is null
        and run.status in ('pending', 'running', 'waiting', 'paused')
      ) as rival
    ) as older
    order by given.place`,
};

/** The state of each wait, in their order. Of the steps, those that are not superseded. */
export async function lookForEvents(tx: Db, runId: string, waits: readonly AskedWait[]): Promise<Standing[]> {
  const standings = await tx.query<Standing>(lookStatement, [
    runId,
    waits.map(({ step }) => step),
    waits.map(({ generation }) => generation),
    waits.map(({ event }) => event),
    waits.map(({ key }) => key),
    waits.map(({ takesAgain }) => takesAgain),
    LOOK_AGAIN_MS,
    waits.map(({ filter }) => filter),
  ]);
  return standings.map((standing, index) => {
    const { step, generation } = waits[index] as AskedWait;
    return { ...standing, output: opened([runId, "step", step, generation], standing.output) };
  });
}

const takeStatement: Statement = {
  name: "take-events",
  text: `
    update handrail.event set
      taken_by = $1::uuid, taken_step = given.step, taken_generation = given.generation, taken_at = clock_timestamp()
    from unnest($2::bigint[], $3::text[], $4::int[]) as given (seq, step, generation)
    where event.seq = any ($2::bigint[]) and event.seq = given.seq
    returning event.seq, event.payload, event.sent_by as "sentBy", event.sent_at as "sentAt", event.trace`,
};

/** Marks each event as taken by its step. The steps' outcomes are recorded in the same transaction. */
export async function takeEvents(
  tx: Db,
  runId: string,
  given: readonly (Pick<AskedWait, "step" | "generation"> & { event: number })[],
): Promise<Map<number, TakenEvent>> {
  const rows = await tx.query<TakenEvent>(takeStatement, [
    runId,
    given.map(({ event }) => event),
    given.map(({ step }) => step),
    given.map(({ generation }) => generation),
  ]);
  return new Map(rows.map((row) => [row.seq, row]));
}

const keepWaitsStatement: Statement = {
  name: "keep-event-waits",
  text: `
    insert into handrail.event_wait (run_id, step, generation, event, key, filter, question, choices, data, closed_at)
    select $1::uuid, step, generation, event, key, filter, question, choices, data, case when closed then clock_timestamp() end
    from unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::text[], $9::boolean[], $10::jsonb[])
      as given (step, generation, event, key, question, choices, data, closed, filter)
    on conflict (run_id, step, generation) do update set closed_at = excluded.closed_at,
      event = excluded.event, key = excluded.key, filter = excluded.filter`,
};

/** Records waits, and closes those that are over. */
export async function keepWaits(
  tx: Db,
  runId: string,
  waits: readonly (AskedWait & { closed: boolean })[],
): Promise<void> {
  await tx.query(keepWaitsStatement, [
    runId,
    waits.map(({ step }) => step),
    waits.map(({ generation }) => generation),
    waits.map(({ event }) => event),
    waits.map(({ key }) => key),
    waits.map(({ question }) => question?.text ?? null),
    waits.map(({ question }) => (question ? JSON.stringify(question.choices) : null)),
    waits.map(({ question }) => question?.data ?? null),
    waits.map(({ closed }) => closed),
    waits.map(({ filter }) => filter),
  ]);
}
