import {
  CHILDREN,
  DAYS,
  ERRORS,
  FAMILY_EVERY,
  FATES,
  OUTAGES,
  PARENTS,
  PENDING,
  RUNNING,
  VERSIONS,
  WAITS_FOR_EVENT,
  WORKERS,
  WORKFLOWS,
} from "./sample";

/*
 * Runs from `$1` to before `$2` of `$3`, the newest beginning at `$4` ms: the same numbers give the same runs, but for the
 * instant. A batch is laid out in a temporary table, from which each table is filled. The runs come last: their triggers look at steps.
 */

const chance = (seed: number) => `((hashint8extended(n, ${seed}) & 9007199254740991)::float8 / 9007199254740992)`;
const texts = (values: readonly string[]) => `array[${values.map((value) => `'${value}'`).join(", ")}]`;
const numbers = (values: readonly number[]) => `array[${values.join(", ")}]::float8[]`;

const shares = WORKFLOWS.slice(0, -1).map((_, index) => {
  const upTo = WORKFLOWS.slice(0, index + 1).reduce((sum, { share }) => sum + share, 0);
  return Number(upTo.toFixed(6));
});
const inOutage = OUTAGES.map(([from, to]) => `part between ${from} and ${to}`).join(" or ");
const spanMs = DAYS * 86_400_000;

/** The day's rhythm: never backwards, for its slope is 1 ± 0.6. */
const rhythm = `part - sin(part * ${DAYS} * 2 * pi()) * 0.6 / (${DAYS} * 2 * pi())`;

export const LAY_OUT = `
  create temporary table batch as
  with given as (
    select n, n::float8 / $3::bigint as part, ${chance(1)} as pick, ${chance(2)} as fate, ${chance(3)} as spread, ${chance(4)} as luck
    from generate_series($1::bigint, $2::bigint - 1) as n
  ), placed as (
    select *, ($4::bigint - ${spanMs} + floor((${rhythm}) * ${spanMs}))::bigint as ms,
      case when n % ${FAMILY_EVERY} = 0 then ${PARENTS} when n % ${FAMILY_EVERY} < 4 then ${CHILDREN}
        else width_bucket(pick, ${numbers(shares)}) end as w
    from given
  ), told as (
    select *, to_timestamp(ms / 1000.0) as at, md5(n::text) as digest,
      case
        when n % ${FAMILY_EVERY} < 4 then 'completed'
        when n >= $3::bigint - greatest(20, $3::bigint * ${PENDING}) then 'pending'
        when n >= $3::bigint - greatest(20, $3::bigint * ${PENDING}) - greatest(20, $3::bigint * ${RUNNING}) then 'running'
        when fate > 0.8 and (${inOutage}) then 'failed'
        else coalesce((${texts(FATES.map(({ state }) => state))})[width_bucket(fate, ${numbers([0, ...FATES.map(({ below }) => below)])})], 'completed')
      end as state
    from placed
  )
  select n, part, w, state, spread, luck, at, digest,
    (lpad(to_hex(ms), 12, '0') || '7' || substr(digest, 1, 3) || '8' || substr(digest, 4, 15))::uuid as id,
    least(${VERSIONS}, greatest(1, ceil(part * ${VERSIONS} + (luck - 0.5) * 0.2)))::int as version,
    (${texts(WORKFLOWS.map(({ name }) => name))})[w + 1] as workflow,
    string_to_array((${texts(WORKFLOWS.map(({ steps }) => steps.join(",")))})[w + 1], ',') as names,
    interval '1 ms' * (60 + 2000 * -ln(1 - spread)) as a_step,
    case state when 'pending' then 0 when 'delayed' then 0 when 'completed' then 3 when 'compensated' then 3 when 'owed' then 3
      when 'cancelled' then 1 when 'paused' then 1 when 'failed' then 2 + (luck > 0.6)::int else 2 end as reached,
    to_timestamp($4::bigint / 1000.0) + interval '1 hour' + luck * interval '60 days' as due,
    'c-' || floor(spread ^ 3 * $3::bigint / 50) as customer,
    (array['eu', 'us', 'eu', 'apac', 'us', 'eu', 'uk', 'br'])[1 + floor(luck * 8)] as region,
    json_build_object('name', (${texts(ERRORS.map(([name]) => name))})[1 + floor(luck * luck * ${ERRORS.length})],
      'message', (${texts(ERRORS.map(([, message]) => message))})[1 + floor(luck * luck * ${ERRORS.length})] || (n % 250),
      'stack', repeat(E'    at attempt (file:///srv/app/gateway.js:12:34)\\n', 6))::text as error,
    1 + n % ${WORKERS} as worker
  from told`;

const isRun = (states: string) => `state in (${states})`;
const special = `p = reached and ${isRun("'timer', 'event', 'approval', 'unknown', 'retry', 'running', 'failed', 'compensated', 'owed'")}`;
const failing = isRun("'failed', 'compensated', 'owed'");

const STEPS = `
  insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, failures,
    max_attempts, key_generation, output, error, reference, doubt, worker_id, started_at, finished_at, next_attempt_at, compensation_mode)
  select id, name, 1, kind, case when state = 'unknown' and p = 2 then 'once' when p = 1 and w = 1 then 'pure' else 'idempotent' end,
    status, p, case when status in ('completed', 'failed') then p end,
    tries, case when status = 'failed' then tries else tries - 1 end, 4, 1,
    case when status = 'completed' then '{"ok":true,"reference":"' || substr(digest, 1, 12) || '"}' end,
    case when status = 'failed' or state = 'retry' and p = 2 then error end,
    case when kind = 'child' then (select child.id::text from batch as child where child.n = told.n + p)
      when status = 'completed' and p = 2 then 'ref_' || substr(digest, 1, 16) end,
    case when status = 'unknown' then error end,
    case when status = 'running' then worker end,
    at + (p - 1) * a_step, case when status in ('completed', 'failed') then at + p * a_step end,
    case when status = 'waiting' and kind in ('sleep', 'step') then due end,
    case when state in ('compensated', 'owed') and p = 2 then 'automatic' end
  from (
    select batch.*, p, names[p] as name,
      case when ${special} then case when ${failing} then 'failed' when state = 'unknown' then 'unknown'
        when state = 'running' then 'running' else 'waiting' end else 'completed' end as status,
      case when p = reached and state = 'timer' then 'sleep' when p = reached and state in ('event', 'approval') then state
        when n % ${FAMILY_EVERY} = 0 then 'child'
        when w = ${WAITS_FOR_EVENT} and p = 2 and state = 'completed' then 'event'
        when p = 3 and w = ${CHILDREN} then 'transaction' else 'step' end as kind,
      case when ${special} and ${failing} then 4 when p = 2 and (state = 'retry' or state = 'completed' and spread > 0.97
        and w not in (${WAITS_FOR_EVENT}, ${PARENTS})) then 2 else 1 end as tries
    from batch cross join lateral generate_series(1, reached) as p
  ) as told`;

/** Of a step in its second try the first, of a failed one all four, of one that waits for its next try both. */
const ATTEMPTS = `
  insert into handrail.attempt (run_id, step, generation, number, status, error, worker_id, started_at, finished_at)
  select id, names[reached], 1, number, 'failed', error, worker, at + number * a_step / 5, at + number * a_step / 5 + a_step / 6
  from batch cross join lateral generate_series(1, case state when 'retry' then 2 else 3 end) as number
  where ${isRun("'failed', 'compensated', 'owed', 'retry'")}
  union all
  select id, names[2], 1, 1, 'failed', error, worker, at + a_step, at + a_step * 1.5
  from batch where state = 'completed' and spread > 0.97 and w not in (${WAITS_FOR_EVENT}, ${PARENTS})`;

const COMPENSATIONS = `
  insert into handrail.compensation (run_id, step, generation, mode, status, position, attempt, failures, error, "by", instructions, owed_at, started_at, finished_at)
  select id, names[2], 1, case when state = 'owed' and luck < 0.7 then 'manual' else 'automatic' end,
    case when state = 'compensated' then 'completed' when luck < 0.7 then 'owed' else 'failed' end, 2,
    (state = 'compensated' or luck >= 0.7)::int, (state = 'owed' and luck >= 0.7)::int,
    case when state = 'owed' and luck >= 0.7 then error end, case when state = 'compensated' then 'worker' end,
    'Write to the customer.', at + 4 * a_step, case when state = 'compensated' then at + 4 * a_step end,
    case when state = 'compensated' then at + 5 * a_step end
  from batch where ${isRun("'compensated', 'owed'")}`;

const WAITS = `
  insert into handrail.event_wait (run_id, step, generation, event, key, question, choices, data, opened_at, closed_at)
  select id, names[2], 1, case state when 'approval' then 'approval:' || names[2] else 'payment.settled' end,
    case when state <> 'approval' then 'key-' || n end,
    case when state = 'approval' then 'May this go out?' end,
    case when state = 'approval' then '["approve", "reject"]'::jsonb end,
    case when state = 'approval' then '{}' end, at + a_step, case when state = 'completed' then at + 2 * a_step end
  from batch where ${isRun("'event', 'approval'")} or w = ${WAITS_FOR_EVENT} and state = 'completed'`;

const EVENTS = `
  insert into handrail.event (name, id, key, payload, sent_at, taken_by, taken_step, taken_generation, taken_at)
  select 'payment.settled', 'settled-' || n, 'key-' || n, '{"paid":true}', at + a_step, id, names[2], 1, at + 2 * a_step
  from batch where w = ${WAITS_FOR_EVENT} and state = 'completed'`;

const TAGS = `
  insert into handrail.run_tag (name, value, run_id)
  select tag.name, tag.value, id from batch cross join lateral (
    values ('customerId', customer), ('region', region), ('orderId', case when w = 0 then 'A-' || n end)) as tag (name, value)
  where tag.value is not null`;

const LOST_CLAIMS = `
  insert into handrail.lost_claim (run_id, epoch, worker_id, lost_at)
  select id, 1, worker, at + a_step from batch where n % 1000 = 7 and reached > 0`;

const LOGS = `
  insert into handrail.log (run_id, key, during, message, data, at)
  select id, 'line-' || line, 'code', 'Order ' || n || ' at stage ' || line, '{"stage":' || line || '}', at + line * a_step
  from batch cross join generate_series(1, 2) as line where n % 20 = 3 and reached > 0`;

const RUNS = `
  insert into handrail.run (id, workflow, version, status, epoch, worker_id, revision, due_at, waiting_kind, waiting_step, waiting_since,
    attention, failed_step, input, output, error, tags, idempotency_key, parent_run_id, parent_step, parent_key_generation,
    created_at, started_at, finished_at, pause_requested_at, queue_key)
  select batch.id, batch.workflow, batch.version,
    case state when 'timer' then 'waiting' when 'event' then 'waiting' when 'approval' then 'waiting' when 'unknown' then 'waiting'
      when 'retry' then 'waiting' when 'delayed' then 'pending' when 'owed' then 'compensating' else state end,
    case when reached = 0 then 0 when batch.n % 1000 = 7 then 2 else 1 end,
    case when state = 'running' then worker end, reached,
    case when state in ('timer', 'retry', 'delayed') then due end,
    case when state in ('timer', 'event', 'approval', 'retry') then state when state in ('unknown', 'owed') then 'operator' end,
    case when state in ('timer', 'event', 'approval', 'retry', 'unknown', 'owed') then names[2] end,
    case when state in ('timer', 'event', 'approval', 'retry', 'unknown', 'owed') then at + 2 * a_step end,
    case state when 'failed' then 'failed' when 'unknown' then 'outcome_unknown' when 'owed' then 'compensation_owed'
      when 'approval' then 'approval' end,
    case when ${failing} then names[reached] end,
    '{"orderId":"A-' || n || '","customerId":"' || customer || '","amountCents":' || floor(luck * 90000) || ',"currency":"EUR","lines":[{"sku":"'
      || substr(digest, 1, 8) || '","quantity":' || 1 + n % 4 || '}],"note":"' || digest || '"}',
    case when state = 'completed' then '{"status":"done","reference":"' || substr(digest, 1, 12) || '"}' end,
    case when ${failing} then error end,
    jsonb_strip_nulls(jsonb_build_object('customerId', customer, 'region', region, 'orderId', case when w = 0 then 'A-' || n end)),
    case when luck < 0.7 then workflow || '-' || n end,
    parent.id, case when parent.id is not null then parent.step end, case when parent.id is not null then 1 end,
    at, case when reached > 0 then at + interval '20 ms' end,
    case when state in ('completed', 'failed', 'cancelled', 'compensated') then at + reached * a_step end,
    case when state = 'paused' then at + a_step end,
    case when state = 'completed' and w = ${CHILDREN} and luck < 0.1 then 'tenant-' || n % 40 end
  from batch
  left join lateral (select head.id, head.names[batch.n - head.n] as step from batch as head
    where head.n = batch.n - batch.n % ${FAMILY_EVERY} and batch.n % ${FAMILY_EVERY} between 1 and 3) as parent on true`;

/** Ordered so that the rows which the runs' triggers read exist. */
export const FILL_TABLES = [STEPS, ATTEMPTS, COMPENSATIONS, WAITS, EVENTS, TAGS, LOST_CLAIMS, LOGS, RUNS];
