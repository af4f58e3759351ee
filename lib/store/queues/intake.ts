import type { IntakeHolds } from "../../engine/queues/intake";
import { databaseNow } from "../database/database-now";
import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";
import { lookAgainAtQueues } from "./queue-lanes";

export interface ClosedIntakeRow {
  holds: IntakeHolds;
  closed_by: string;
  reason: string;
  closed_at: RowInstant;
}

/** How the intake of a workflow is closed, as JSON; null while it is open. */
export const CLOSED_INTAKE = (workflow: string) =>
  `(select to_json(closed) from handrail.closed_intake as closed where closed.workflow = ${workflow})`;

/**
 * Locked workers can neither claim nor heartbeat meanwhile, and a heartbeat must not be late for long. Longer than any
 * claim takes.
 */
const PATIENCE = "1s";

const impatientStatement: Statement = {
  name: "impatient",
  text: `select set_config('statement_timeout', $1, true)`,
};

/*
 * Locks the intake of a workflow. The lock excludes other changes of it, and workers that are about to register: those
 * read it under a separate lock.
 */
const lockStatement: Statement = {
  name: "lock-intake",
  text: `select 1 from handrail.workflow where name = $1 order by version for update`,
};

const readStatement: Statement = {
  name: "read-intake",
  text: `select holds, closed_by, reason, closed_at from handrail.closed_intake where workflow = $1`,
};

/** How it is closed, null while it is open; undefined for an unknown workflow. */
export async function lockIntake(tx: Db, workflow: string): Promise<ClosedIntakeRow | null | undefined> {
  const versions = await tx.query(lockStatement, [workflow]);
  if (versions.length === 0) return undefined;
  const [closed] = await tx.query<ClosedIntakeRow>(readStatement, [workflow]);
  return closed ?? null;
}

/*
 * Waits for every running claim, and lets no other begin before the commit: a claim holds its worker's row against this
 * lock. In the order of ids, like everything that locks several workers.
 */
const lockWorkersStatement: Statement = {
  name: "lock-workers",
  text: `select id from handrail.worker where stopped_at is null order by id for update`,
};

const closeStatement: Statement = {
  name: "close-intake",
  text: `
    insert into handrail.closed_intake (workflow, holds, closed_by, reason) values ($1, $2, $3, $4)
    on conflict (workflow) do update set holds = excluded.holds, closed_by = excluded.closed_by, reason = excluded.reason`,
};

const openStatement: Statement = {
  name: "open-intake",
  text: `delete from handrail.closed_intake where workflow = $1`,
};

/** The closed intakes in the form of a worker's row. */
export const CLOSED_INTAKES = `coalesce((select array_agg(workflow order by workflow) from handrail.closed_intake), '{}')`;
export const HELD_WORKFLOWS = `coalesce((select array_agg(workflow order by workflow) from handrail.closed_intake where holds = 'all'), '{}')`;

const tellStatement: Statement = {
  name: "tell-workers-of-intakes",
  text: `
    update handrail.worker set closed_intakes = ${CLOSED_INTAKES}, held_workflows = ${HELD_WORKFLOWS}
    where stopped_at is null`,
};

export interface Closing {
  holds: IntakeHolds;
  by: string;
  reason: string;
}

/*
 * Guarantee: of a closed intake, no claim that begins after the commit takes a run that has not begun; a claim that was
 * running took its runs before. Races with: claims, heartbeats and registrations (the locks above); the end of a
 * worker, lost or stopped, which locks its row like this. `loosens`: held runs may continue, so queues are checked
 * again: all of them before the workers are locked, for there may be many, and then those that claims have left
 * meanwhile.
 */
export async function setIntake(
  tx: Db,
  workflow: string,
  { closing, loosens }: { closing: Closing | null; loosens: boolean },
): Promise<void> {
  const since = loosens ? await databaseNow(tx) : null;
  if (loosens) await lookAgainAtQueues(tx, workflow);
  await tx.query(impatientStatement, [PATIENCE]);
  await tx.query(lockWorkersStatement, []);
  if (closing) await tx.query(closeStatement, [workflow, closing.holds, closing.by, closing.reason]);
  else await tx.query(openStatement, [workflow]);
  await tx.query(tellStatement, []);
  if (since) await lookAgainAtQueues(tx, workflow, since);
}
