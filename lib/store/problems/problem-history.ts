import type { ProblemEvent } from "../../engine/problems/problem";
import type { Db, Statement } from "../db";

export interface HistoryEntry {
  problemId: string;
  what: ProblemEvent;
  /** Null: changed by Handrail. */
  by: string | null;
  text: string;
}

const writeStatement: Statement = {
  name: "write-problem-history",
  text: `
    insert into handrail.problem_history (problem_id, what, "by", text)
    select "problemId", what, "by", text
    from jsonb_to_recordset($1::jsonb) as given ("problemId" uuid, what text, "by" text, text text)`,
};

export async function writeHistory(tx: Db, entries: readonly HistoryEntry[]): Promise<void> {
  await tx.query(writeStatement, [JSON.stringify(entries)]);
}
