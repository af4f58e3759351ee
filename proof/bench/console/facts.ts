import type { Pool } from "pg";

/**
 * Requests that a filled database can answer. Lists hold different rows for each call, so that not one cached page is
 * measured.
 */
export interface Facts {
  now: Date;
  /** Spread over the whole time. */
  runs: { id: string; key: string; customer: string; order: string; at: Date }[];
  failedRuns: string[];
  /** With children. */
  parents: string[];
  manySteps: string;
  problems: string[];
  operations: string[];
  plans: string[];
  /** Of the audit's rows. */
  audit: number[];
}

const SAMPLES = 24;

const sampledRuns = `
  with bounds as (
    select handrail_ms((select id from handrail.run order by id limit 1)) as first,
      handrail_ms((select id from handrail.run order by id desc limit 1)) as last
  )
  select run.id, run.idempotency_key as key, run.tags ->> 'customerId' as customer, run.tags ->> 'orderId' as order, run.created_at as at
  from bounds cross join generate_series(1, ${SAMPLES}) as place cross join lateral (
    select * from handrail.run
    where id >= (lpad(to_hex((first + (last - first) * (place - 0.5) / ${SAMPLES})::bigint), 12, '0') || repeat('0', 20))::uuid
      and workflow = 'order-fulfilment' and idempotency_key is not null order by id limit 1) as run`.replaceAll(
  /handrail_ms\((.+)\)/g,
  "('x' || replace(left($1::text, 13), '-', ''))::bit(48)::bigint",
);

export async function factsOf(pool: Pool): Promise<Facts> {
  const ids = async (text: string) => (await pool.query<{ id: string }>(text)).rows.map(({ id }) => id);
  const { rows: runs } = await pool.query<Facts["runs"][number]>(sampledRuns);
  const [many] = await ids("select id from handrail.run where idempotency_key = 'many-steps'");
  const { rows: audit } = await pool.query<{ id: string }>(
    `select max(id) * place / ${SAMPLES} as id from handrail.audit cross join generate_series(1, ${SAMPLES}) as place group by place`,
  );
  return {
    now: new Date(),
    runs,
    failedRuns: await ids(`select id from handrail.run where status = 'failed' order by id desc limit ${SAMPLES}`),
    parents: await ids(
      `select id from handrail.run where workflow = 'campaign-launch' order by id desc limit ${SAMPLES}`,
    ),
    manySteps: many as string,
    problems: await ids(`select id from handrail.problem order by last_at desc limit ${SAMPLES}`),
    operations: await ids(`select id from handrail.operation order by id desc limit ${SAMPLES}`),
    plans: await ids(`select plan_id as id from handrail.operation order by id desc limit ${SAMPLES}`),
    audit: audit.map(({ id }) => Number(id)),
  };
}
