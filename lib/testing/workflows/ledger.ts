import { fileURLToPath } from "node:url";
import type { Pool } from "pg";

/** The records of the bodies of ledger-workflows.ts. */
export const LEDGER_WORKFLOWS = fileURLToPath(new URL("./ledger-workflows.ts", import.meta.url));

export async function createLedger(pool: Pool): Promise<void> {
  await pool.query(`
    create table ledger (id bigint generated always as identity primary key, run_id uuid not null, step text not null,
      pid int not null, began_at timestamptz not null, ended_at timestamptz);
    create table ended_process (pid int primary key, at timestamptz not null)`);
}

/** Just before a process is killed: its running bodies end with it. */
export async function noteEnd(pool: Pool, pid: number): Promise<void> {
  await pool.query("insert into ended_process values ($1, clock_timestamp())", [pid]);
}

/** Bodies of one run that overlapped, on any worker: steps of these workflows are sequential. */
export async function overlaps(pool: Pool): Promise<unknown[]> {
  const { rows } = await pool.query(`
    with line as (
      select ledger.*, coalesce(ended_at, ended_process.at, 'infinity') as over_at from ledger left join ended_process using (pid)
    )
    select first.*, second.pid as other, second.step as other_step, second.began_at as other_began_at
    from line as first join line as second on second.run_id = first.run_id and second.id > first.id
    where second.began_at < first.over_at`);
  return rows;
}

/** Bodies that ran again although they had ended and their process had not been killed. */
export async function repeated(pool: Pool): Promise<unknown[]> {
  const { rows } = await pool.query(`
    select run_id, step, array_agg(pid) as pids from ledger
    where ended_at is not null and pid not in (select pid from ended_process)
    group by run_id, step having count(*) > 1`);
  return rows;
}

/** How many bodies each of these processes has completed. */
export async function share(pool: Pool, pids: readonly number[]): Promise<number[]> {
  const { rows } = await pool.query(
    `select (select count(*)::int from ledger where ledger.pid = given.pid and ended_at is not null) as bodies
     from unnest($1::int[]) with ordinality as given (pid, place) order by place`,
    [pids],
  );
  return rows.map(({ bodies }) => bodies);
}
