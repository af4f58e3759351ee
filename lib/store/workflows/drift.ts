import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";

/** What a pass found missing in its code. */
export interface DriftNote {
  /** Done steps that the code did not reach: names, 100 at the most, and how many there are. */
  gone: readonly string[];
  goneCount: number;
  /** What came before them; null for the end of the code. */
  next: string | null;
  stopped: boolean;
}

export interface DriftRow {
  generation: number;
  version: number;
  gone: string[];
  gone_count: number;
  next: string | null;
  stopped: boolean;
  at: RowInstant;
}

/*
 * Guarantee: written by the owner alone, and before the record that ends its claim: a pass that finds the same again
 * after a crash writes the same. Steps that an earlier pass found missing, but this one reached, are removed.
 */
const keepStatement: Statement = {
  name: "keep-drift",
  text: `
    with held as (
      select id, generation from handrail.run
      where id = $1::uuid and epoch = $2::bigint and worker_id is not null
      for no key update
    )
    insert into handrail.drift as known (run_id, generation, version, gone, gone_count, next, stopped)
    select held.id, held.generation, $3::int, $4::text[], $5::int, $6, $7::boolean
    from held
    where $8::boolean or exists (select from handrail.drift
      where run_id = held.id and drift.generation = held.generation and version = $3::int)
    on conflict (run_id, generation, version) do update set
      gone = excluded.gone, gone_count = excluded.gone_count, next = coalesce(known.next, excluded.next), stopped = excluded.stopped`,
};

const NOTHING: DriftNote = { gone: [], goneCount: 0, next: null, stopped: false };

/** `note`: null when this pass has found nothing. A lost claim writes nothing. */
export async function keepDrift(
  db: Db,
  claim: { runId: string; epoch: number; version: number },
  note: DriftNote | null,
): Promise<void> {
  const { gone, goneCount, next, stopped } = note ?? NOTHING;
  const values = [claim.runId, claim.epoch, claim.version, gone, goneCount, next, stopped, note !== null];
  await db.query(keepStatement, values);
}

/*
 * Steps that began after an outcome that a rerun has superseded: the code took that path because of the old outcome,
 * and now follows the new one. The superseded rows record this for as long as the run is kept.
 */
const excusedStatement: Statement = {
  name: "excused-by-reruns",
  text: `
    select distinct step.name from handrail.step
    join handrail.step as redone on redone.run_id = step.run_id and redone.superseded_by > step.generation
      and redone.position < step.position and redone.finished_at <= step.started_at
    where step.run_id = $1::uuid and step.superseded_by is null`,
};

/**
 * Names of done steps that need not be reached again, since an operator reran or skipped a step before them, or
 * supplied its output.
 */
export async function excusedByReruns(db: Db, runId: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ name: string }>(excusedStatement, [runId]);
  return new Set(rows.map(({ name }) => name));
}
