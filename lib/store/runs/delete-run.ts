import type { RunStatus } from "../../engine/runs/run";
import type { Db, Statement } from "../db";
import { deletion, everyPolicy, lockForDeletion, NEEDED, tree } from "./retention";

/** What keeps a run, or one of its descendants, from being deleted. */
export type KeptBecause = "open" | "held" | keyof typeof NEEDED;

const mayGo = `run.finished_at is not null and not (${Object.values(NEEDED).join(" or ")})`;

const deleteStatement = deletion("delete-run", { policy: everyPolicy, mayGo });

const whyStatement: Statement = {
  name: "why-run-is-kept",
  text: `
    with recursive ${tree}, policy as (${everyPolicy})
    select run.id::text as "runId", case when run.finished_at is null then 'open'
      ${Object.entries(NEEDED)
        .map(([why, condition]) => `when ${condition} then '${why}'`)
        .join(" ")} else 'held' end as because
    from tree join handrail.run on run.id = tree.id left join policy on policy.workflow = run.workflow
    where not (run.id = any ($2::uuid[]) and ${mayGo}) order by run.id limit 1`,
};

export interface DeletedRun {
  id: string;
  workflow: string;
  status: RunStatus;
}

/**
 * Deletes a run that the transaction holds, as retention does, with its descendants: all of them, or none if something
 * still needs one.
 */
export async function deleteRun(
  tx: Db,
  runId: string,
): Promise<{ deleted: DeletedRun[] } | { kept: { runId: string; because: KeptBecause } }> {
  const given = [[runId], await lockForDeletion(tx, [runId])];
  const deleted = await tx.query<DeletedRun>(deleteStatement, given);
  if (deleted.length > 0) return { deleted };
  const [kept] = await tx.query<{ runId: string; because: KeptBecause }>(whyStatement, given);
  // What kept it has ended since the statement before.
  return { kept: kept ?? { runId, because: "held" } };
}
