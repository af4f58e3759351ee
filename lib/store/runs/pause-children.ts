import type { Db, Statement } from "../db";
import type { ChangedChild } from "../rows";
import { HELD, RELEASED } from "./pause";

/*
 * Races with: the parent's own records, which hold its row or wait for this transaction, and then see its pause request
 * (a child started after it is held from its start); a child's own end (the lock; an ended child is left alone);
 * actions on a child (the lock). Locks parents before children, children in the order of ids. Unchanged children are
 * traversed too: their children may be held by the same pause.
 */
const levelText = (which: string, set: string) => `
    with child as (
      select id, status, revision, coalesce(${which}, false) as changes from handrail.run
      where parent_run_id = any ($1::uuid[]) and finished_at is null
      order by id
      for no key update
    ), changed as (
      update handrail.run set ${set}
      from child where run.id = child.id and child.changes
      returning run.id, run.workflow, run.status, run.revision
    )
    select child.id::text, child.changes, workflow,
      jsonb_build_object('status', child.status, 'revision', child.revision) as before,
      jsonb_build_object('status', changed.status, 'revision', changed.revision) as after
    from child left join changed using (id) order by child.id`;

const pauseStatement: Statement = {
  name: "pause-children",
  text: levelText(
    "status in ('pending', 'waiting', 'running') and cancel_requested_at is null and pause_requested_at is null",
    `${HELD}, pause_root = $2::uuid`,
  ),
};

const resumeStatement: Statement = {
  name: "resume-children",
  text: levelText("pause_root = $2::uuid", RELEASED),
};

interface Cascade {
  runId: string;
  /** The run that was paused with its children. */
  root: string;
}

/** Pauses every descendant that can be paused, level by level. The transaction holds the run and writes the audit. */
export const pauseChildren = (tx: Db, cascade: Cascade) => levelByLevel(tx, pauseStatement, cascade);

/** Resumes the descendants that the pause of `root` holds. */
export const resumeChildren = (tx: Db, cascade: Cascade) => levelByLevel(tx, resumeStatement, cascade);

/** Returns the changed ones. */
async function levelByLevel(tx: Db, statement: Statement, { runId, root }: Cascade): Promise<ChangedChild[]> {
  const all: ChangedChild[] = [];
  for (let parents = [runId]; parents.length > 0; ) {
    const rows = await tx.query<ChangedChild & { changes: boolean }>(statement, [parents, root]);
    parents = rows.map(({ id }) => id);
    all.push(...rows.filter(({ changes }) => changes));
  }
  return all;
}
