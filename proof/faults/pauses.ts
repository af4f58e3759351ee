import type { Pool } from "pg";
import type { Body } from "./body-ledger";

/** The two clocks, of the database and of the bodies' processes, are one machine's; they are read this exactly. */
const CLOCK_MS = 5;

/** Writes down when runs were held, and let go on. */
export async function watchPauses(pool: Pool): Promise<void> {
  await pool.query(`
    create table witness.pause (run_id uuid, paused boolean, at timestamptz default clock_timestamp());
    create function witness.pause() returns trigger language plpgsql as $$
    begin
      insert into witness.pause values (new.id, new.status = 'paused');
      return null;
    end $$;
    create trigger witness_pause after update on handrail.run for each row
      when ((old.status = 'paused') <> (new.status = 'paused')) execute function witness.pause()`);
}

/** Bodies that began while their run was paused. */
export async function begunInPauses(pool: Pool, bodies: readonly Body[]): Promise<Body[]> {
  const { rows } = await pool.query<{ run: string; from: Date; until: Date | null }>(`
    select run_id as run, at as from, until from (
      select *, lead(at) over (partition by run_id order by at) as until from witness.pause
    ) as held where paused`);
  return bodies.filter(({ runId, beganAt }) =>
    rows.some(
      ({ run, from, until }) =>
        run === runId &&
        beganAt > from.getTime() + CLOCK_MS &&
        beganAt < (until?.getTime() ?? Number.POSITIVE_INFINITY) - CLOCK_MS,
    ),
  );
}
