import type { ProblemKind, ProblemStatus } from "../../engine/problems/problem";
import type { Db, Statement } from "../db";

export interface LockedProblem {
  id: string;
  kind: ProblemKind;
  workflow: string;
  status: ProblemStatus;
  assignee: string | null;
  failures: number;
  open_runs: number;
  example_run_id: string;
  revision: number;
}

const lockStatement: Statement = {
  name: "lock-problem",
  text: `
    select id::text, kind, workflow, status, assignee, failures, open_runs, example_run_id::text, revision from handrail.problem
    where id = $1::uuid for no key update`,
};

/** Excludes concurrent actions and the fold. */
export async function lockProblem(tx: Db, id: string): Promise<LockedProblem | undefined> {
  return (await tx.query<LockedProblem>(lockStatement, [id]))[0];
}

/** In each of these, the caller holds the problem's row. */
const assignStatement: Statement = {
  name: "assign-problem",
  text: `update handrail.problem set assignee = $2, revision = revision + 1 where id = $1::uuid`,
};

export async function assignProblem(tx: Db, id: string, assignee: string | null): Promise<void> {
  await tx.query(assignStatement, [id, assignee]);
}

const statusStatement: Statement = {
  name: "set-problem-status",
  text: `
    update handrail.problem set status = $2, revision = revision + 1,
      muted_until = case when $2 = 'muted' then clock_timestamp() + $3::float8 * interval '1 ms' end,
      muted_to_count = case when $2 = 'muted' then failures + $4::bigint end,
      resolved_at = case when $2 = 'resolved' then clock_timestamp() end,
      resolved_in = case when $2 = 'resolved' then $5::int end,
      -- A problem that a person reopens stays open until runs enter and leave it again.
      calm_at = case when $2 <> 'open' then calm_at end,
      came_back = case when $2 <> 'resolved' then came_back end,
      came_back_at = case when $2 <> 'resolved' then came_back_at end
    where id = $1::uuid`,
};

interface MuteUntil {
  /** From now on, by the database's clock; null: permanently. */
  forMs: number | null;
  /** Until so many more failures are counted; null: however many. */
  failures: number | null;
}

export const muteProblem = (tx: Db, id: string, { forMs, failures }: MuteUntil) =>
  tx.query(statusStatement, [id, "muted", forMs, failures, null]);

export const resolveProblem = (tx: Db, id: string, inVersion: number | null) =>
  tx.query(statusStatement, [id, "resolved", null, null, inVersion]);

export const reopenProblem = (tx: Db, id: string) => tx.query(statusStatement, [id, "open", null, null, null]);
