import { ENDED_STATUSES, type RunStatus } from "../../lib/engine/runs/run";
import { decodeValue } from "../../lib/engine/values/codec";
import type { GivenRun } from "./stage";

type Rows = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

/** The given runs with all that they have started, and what schedules have started if that counts ($2). */
const FAMILY = `
  with recursive family as (
    select id, parent_run_id, status, worker_id, waiting_kind from handrail.run
    where id = any ($1::uuid[]) or ($2 and id in (select run_id from handrail.firing))
    union
    select child.id, child.parent_run_id, child.status, child.worker_id, child.waiting_kind
    from handrail.run as child join family on child.parent_run_id = family.id
  )`;

const ids = (runs: readonly GivenRun[]) => runs.map(({ id }) => id);

/**
 * Whether something will still happen by itself; a run whose child waits for an operator waits for that operator, too.
 */
export async function isMoving(rows: Rows, runs: readonly GivenRun[], withSchedules: boolean): Promise<boolean> {
  const [row] = await rows<{ moving: boolean }>(
    `${FAMILY}, asking as (
      select id, parent_run_id from family where waiting_kind = 'operator' and worker_id is null
    )
    select exists (
      select from family where status in ('pending', 'running', 'waiting', 'compensating', 'paused')
        and id not in (select id from asking)
        and (waiting_kind is distinct from 'child' or worker_id is not null
          or not exists (select from asking where asking.parent_run_id = family.id))
    ) or ($2 and exists (select from handrail.schedule where look_at <= clock_timestamp())) as moving`,
    [ids(runs), withSchedules],
  );
  return row?.moving !== false;
}

/** Ids of the runs that have not ended, relatives among them. */
export async function unendedOf(rows: Rows, runs: readonly GivenRun[]): Promise<string[]> {
  const found = await rows<{ id: string }>(`${FAMILY} select id from family where status <> all ($3)`, [
    ids(runs),
    true,
    ENDED_STATUSES,
  ]);
  return found.map(({ id }) => id);
}

/** How runs may end that others have started. Default: completed. */
const MAY_BE: Record<string, readonly RunStatus[]> = {
  errand: ["completed", "failed"],
  "long-nap": ["cancelled"],
};

/** What the given runs, and schedules, have started. */
export async function relativesOf(rows: Rows, runs: readonly GivenRun[]): Promise<GivenRun[]> {
  const given = new Set(ids(runs));
  const found = await rows<{ id: string; workflow: string; input: string }>(
    `${FAMILY} select id, workflow, input from family join handrail.run using (id)`,
    [[...given], true],
  );
  return found
    .filter(({ id }) => !given.has(id))
    .map(({ id, workflow, input }) => ({
      id,
      workflow,
      input: decodeValue(input) as object,
      mayBe: MAY_BE[workflow] ?? ["completed"],
    }));
}
