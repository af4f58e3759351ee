import type { ItemOutcome } from "../../engine/operation";
import type { Db, Statement } from "../db";
import { type OperationRow, operationColumns } from "../operations";
import type { RowInstant } from "../rows";

const selectStatement: Statement = {
  name: "select-operation",
  text: `select ${operationColumns} from handrail.operation where id = $1::uuid`,
};

export async function selectOperation(db: Db, operationId: string): Promise<OperationRow | undefined> {
  const [row] = await db.query<OperationRow>(selectStatement, [operationId]);
  return row;
}

const listStatement: Statement = {
  name: "list-operations",
  text: `
    select ${operationColumns} from handrail.operation where $1::uuid is null or id < $1::uuid
    order by id desc limit $2::int`,
};

/** Newest first. */
export const listOperations = (db: Db, page: { before: string | null; limit: number }) =>
  db.query<OperationRow>(listStatement, [page.before, page.limit]);

export interface OperationItemRow {
  position: number;
  run_id: string;
  outcome: ItemOutcome;
  because: string | null;
  at: RowInstant;
}

const listItems = (name: string, only: string): Statement => ({
  name,
  text: `
    select position, run_id, outcome, because, at from handrail.operation_item
    where operation_id = $1::uuid and position > $2::int ${only}
    order by position limit $3::int`,
});

const allItems = listItems("list-operation-items", "");
const otherItems = listItems("list-other-operation-items", "and outcome <> 'done'");

/** Items with an outcome, behind the position `after`. `others`: only those that were not done. */
export const listOperationItems = (
  db: Db,
  operationId: string,
  { others, after, limit }: { others: boolean; after: number; limit: number },
) => db.query<OperationItemRow>(others ? otherItems : allItems, [operationId, after, limit]);
