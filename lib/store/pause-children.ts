import type { Db, Statement } from "./db";
import { HELD, RELEASED } from "./pause";

/*
 * Races with: the parent's own records, which hold its row or wait for this transaction, and then see its wish (a child that
 * is started after it is born held); a child's own end (the lock; an ended child is left alone); acts on a child (the lock).
 * Rows are locked parents first, children in the order of ids. Children that this does not change are walked through: theirs
 * may be of the same pause.
 */
const levelText = (which: string, set: string, act: string) => `
    with child as (
      select id, status, revision, coalesce(${which}, false) as changes from handrail.run
      where parent_run_id = any ($1::uuid[]) and finished_at is null
      order by id
      for no key update
    ), changed as (
      update handrail.run set ${set}
      from child where run.id = child.id and child.changes
      returning run.id, run.status, run.revision
    ), audited as (
      insert into handrail.audit (actor, act, run_id, reason, "before", "after")
      select $3, '${act}', child.id, $4, jsonb_build_object('status', child.status, 'revision', child.revision),
        jsonb_build_object('status', changed.status, 'revision', changed.revision, 'withParent', true)
      from changed join child using (id)
    )
    select id::text, changes from child`;

const pauseStatement: Statement = {
  name: "pause-children",
  text: levelText(
    "status in ('pending', 'waiting', 'running') and cancel_requested_at is null and pause_requested_at is null",
    `${HELD}, pause_root = $2::uuid`,
    "pause",
  ),
};

const resumeStatement: Statement = {
  name: "resume-children",
  text: levelText("pause_root = $2::uuid", RELEASED, "resume"),
};

interface Cascade {
  runId: string;
  /** The run whose pause it is. */
  root: string;
  actor: string;
  reason: string;
}

/** Pauses every descendant that may be, level by level, each with its audit row. The transaction holds the run, and its wish is written. */
export const pauseChildren = (tx: Db, cascade: Cascade) => levelByLevel(tx, pauseStatement, cascade);

/** Resumes the descendants that the pause of `root` holds. */
export const resumeChildren = (tx: Db, cascade: Cascade) => levelByLevel(tx, resumeStatement, cascade);

/** Gives the ids of those that it changed. */
async function levelByLevel(tx: Db, statement: Statement, { runId, root, actor, reason }: Cascade): Promise<string[]> {
  const all: string[] = [];
  for (let parents = [runId]; parents.length > 0; ) {
    const rows = await tx.query<{ id: string; changes: boolean }>(statement, [parents, root, actor, reason]);
    parents = rows.map(({ id }) => id);
    all.push(...rows.filter(({ changes }) => changes).map(({ id }) => id));
  }
  return all;
}
