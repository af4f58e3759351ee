import type { Headers } from "../../engine/runs/headers";
import type { Db, Statement } from "../db";
import { opened } from "../payloads";

interface StartedWith {
  input: string;
  /** The version whose schema has parsed it; null: it is as it was given. */
  parsedBy: number | null;
  headers: Headers | null;
}

const inputStatement: Statement = {
  name: "input-of-run",
  text: `select input, case when input_checked then version end as "parsedBy", headers from handrail.run where id = $1::uuid`,
};

/** The run's input, as text, how it was parsed, and its headers. The transaction holds the run. */
export async function startedWith(tx: Db, runId: string): Promise<StartedWith> {
  const [row] = await tx.query<StartedWith>(inputStatement, [runId]);
  if (!row) throw new Error(`Run ${runId} is gone under its lock.`);
  return { ...row, input: opened([runId, "input"], row.input) };
}

const linkStatement: Statement = {
  name: "link-new-run",
  text: `
    with linked as (
      insert into handrail.new_run (run_id, from_run_id) values ($1::uuid, $2::uuid)
      returning from_run_id
    )
    update handrail.run set revision = revision + 1 from linked where id = linked.from_run_id`,
};

/** Links a run to the new one that a person started in its place. The transaction holds the old one. */
export async function linkNewRun(tx: Db, { runId, fromRunId }: { runId: string; fromRunId: string }): Promise<void> {
  await tx.query(linkStatement, [runId, fromRunId]);
}

/** For a row `run`: the run in whose place it was started, if that still exists. */
export const STARTED_FROM = `(select from_run_id::text from handrail.new_run
        where run_id = run.id and exists (select from handrail.run as old where old.id = from_run_id))`;

/** For a row `run`: the runs started in its place, newest first, 20 at most. */
export const STARTED_AS = `(select coalesce(json_agg(run_id order by run_id desc), '[]') from (
          select run_id from handrail.new_run where from_run_id = run.id order by run_id desc limit 20) as newer)`;
