import type { Db, Statement } from "../db";

const lookStatement: Statement = {
  name: "end-mutes",
  text: `
    with ended as (
      update handrail.problem set status = 'open', muted_until = null, muted_to_count = null, revision = revision + 1
      where id in (select id from handrail.problem where muted_until <= (select clock_timestamp()) limit 100 for no key update skip locked)
      returning id, example_run_id
    ), noted as (
      insert into handrail.problem_history (problem_id, what, text) select id, 'mute_ended', 'The mute expired.' from ended
    )
    select array(select example_run_id::text from ended) as ended, exists (select from handrail.trouble) as waiting`,
};

/**
 * Reopens problems whose mute has ended, 100 at the most; returns an example run of each. Also returns whether trouble
 * waits to be folded.
 */
export async function endMutes(db: Db): Promise<{ ended: string[]; waiting: boolean }> {
  const [row] = await db.query<{ ended: string[]; waiting: boolean }>(lookStatement, []);
  return row ?? { ended: [], waiting: false };
}
