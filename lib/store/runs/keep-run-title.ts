import type { Db, Statement } from "../db";

/*
 * Guarantee: a run without a title gets this one, from its owner alone. Races with: a takeover, whose epoch is another; an
 * operator's action, which does not touch titles.
 */
const statement: Statement = {
  name: "keep-run-title",
  text: `
    update handrail.run set run_title = $3, revision = revision + 1
    where id = $1::uuid and epoch = $2::bigint and worker_id is not null and run_title is null`,
};

export const keepRunTitle = (db: Db, runId: string, epoch: number, title: string) =>
  db.query(statement, [runId, epoch, title]);
