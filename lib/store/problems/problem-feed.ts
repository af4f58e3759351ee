import type { ProblemKind } from "../../engine/problems/problem";
import type { Db, Statement } from "../db";
import { runOf } from "../runs-by-id";

/** A run's change that waits for the fold, with the facts of the run. */
export interface TroubleRow {
  seq: number;
  run_id: string;
  at_ms: number;
  /** Null: the run left its trouble, or was deleted. The columns down to `error` have values only otherwise. */
  kind: ProblemKind | null;
  workflow: string;
  version: number;
  step: string | null;
  error: string | null;
  exhausted: boolean;
  /** The run still exists. */
  there: boolean;
  /** The problem that holds the run, or held it last. */
  problem_id: string | null;
  since_ms: number | null;
  left_ms: number | null;
}

const lockStatement: Statement = {
  name: "lock-problem-fold",
  text: `select 1 from handrail.problem_fold for update skip locked`,
};

/**
 * For the rest of the transaction, no other process makes, folds or deletes problems. False: another process holds the
 * lock.
 */
export async function lockFold(tx: Db): Promise<boolean> {
  return (await tx.query(lockStatement, [])).length > 0;
}

const waitStatement: Statement = {
  name: "wait-for-problem-fold",
  text: `select 1 from handrail.problem_fold for update`,
};

/** As lockFold, and waits for one that is in progress. */
export async function waitForFold(tx: Db): Promise<void> {
  await tx.query(waitStatement, []);
}

/*
 * Taken by number, so in the order in which each run changed: a number is drawn under the lock of the run. One that
 * commits later with a lower number is found by a later fold, for folded rows are deleted, never skipped.
 */
const nextStatement: Statement = {
  name: "next-troubles",
  text: `
    select trouble.seq, trouble.run_id::text, extract(epoch from trouble.at)::float8 * 1000 as at_ms, trouble.kind, trouble.workflow,
      trouble.version, trouble.step, trouble.error, coalesce(failed.exhausted, false) as exhausted, run.id is not null as there,
      held.problem_id::text, extract(epoch from held.since)::float8 * 1000 as since_ms,
      extract(epoch from held.left_at)::float8 * 1000 as left_ms
    from (select * from handrail.trouble order by seq limit $1::int) as trouble
    left join ${runOf("trouble.run_id", "id")} as run on true
    left join lateral (select * from handrail.problem_run where run_id = trouble.run_id offset 0) as held on true
    left join lateral (
      select failures >= max_attempts as exhausted from handrail.step
      where trouble.kind = 'failed' and step.run_id = trouble.run_id and step.name = trouble.step and step.status = 'failed'
      order by generation desc limit 1
    ) as failed on true
    order by trouble.seq`,
};

export const nextTroubles = (tx: Db, limit: number) => tx.query<TroubleRow>(nextStatement, [limit]);

const forgetStatement: Statement = {
  name: "forget-troubles",
  text: `delete from handrail.trouble where seq = any ($1::bigint[])`,
};

/** They are folded. */
export async function forgetTroubles(tx: Db, seqs: readonly number[]): Promise<void> {
  await tx.query(forgetStatement, [seqs]);
}
