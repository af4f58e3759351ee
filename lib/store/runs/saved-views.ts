import type { ViewState } from "../../engine/runs/saved-view";
import { type Db, type Statement, sqlState } from "../db";

export interface SavedViewRow {
  id: string;
  name: string;
  owner_id: string;
  owner: string;
  shared: boolean;
  state: ViewState;
  revision: number;
  updated_at: Date;
  updated_by: string;
}

const COLUMNS = "id, name, owner_id, owner, shared, state, revision, updated_at, updated_by";
/** Most views of one list. */
const MOST_VIEWS = 500;

const listStatement: Statement = {
  name: "list-saved-views",
  text: `
    select ${COLUMNS} from (
      (select * from handrail.saved_view where owner_id = $1 order by name limit ${MOST_VIEWS})
      union
      (select * from handrail.saved_view where shared order by name limit ${MOST_VIEWS})
    ) as seen order by name, id limit ${MOST_VIEWS}`,
};

/** An owner's views, and the shared ones. */
export const listSavedViews = (db: Db, ownerId: string) => db.query<SavedViewRow>(listStatement, [ownerId]);

const countStatement: Statement = {
  name: "count-saved-views",
  text: "select count(*)::int as count from handrail.saved_view where owner_id = $1",
};

export const countSavedViews = async (tx: Db, ownerId: string): Promise<number> =>
  (await tx.query<{ count: number }>(countStatement, [ownerId]))[0]?.count ?? 0;

/** Guarantee: view names are unique per owner. Races with: another of that name, which waits and inserts nothing. */
const insertStatement: Statement = {
  name: "insert-saved-view",
  text: `
    insert into handrail.saved_view (id, name, owner_id, owner, shared, state, updated_by)
    values ($1, $2, $3, $4, $5, $6::jsonb, $4)
    on conflict (owner_id, name) do nothing returning ${COLUMNS}`,
};

type NewView = Pick<SavedViewRow, "id" | "name" | "owner_id" | "owner" | "shared" | "state">;

/** Undefined if its owner has a view of that name already. */
export async function insertSavedView(tx: Db, view: NewView): Promise<SavedViewRow | undefined> {
  const values = [view.id, view.name, view.owner_id, view.owner, view.shared, JSON.stringify(view.state)];
  return (await tx.query<SavedViewRow>(insertStatement, values))[0];
}

const lockStatement: Statement = {
  name: "lock-saved-view",
  text: `select ${COLUMNS} from handrail.saved_view where id = $1 for update`,
};

export const lockSavedView = async (tx: Db, id: string): Promise<SavedViewRow | undefined> =>
  (await tx.query<SavedViewRow>(lockStatement, [id]))[0];

const changeStatement: Statement = {
  name: "change-saved-view",
  text: `
    update handrail.saved_view set name = $2, shared = $3, state = $4::jsonb, updated_by = $5,
      revision = revision + 1, updated_at = clock_timestamp()
    where id = $1 returning ${COLUMNS}`,
};

type ViewChange = Pick<SavedViewRow, "id" | "name" | "shared" | "state"> & { by: string };

const NOT_UNIQUE = "23505";

/** For a locked view. Undefined if its owner has another one of that name: the transaction is then aborted. */
export async function changeSavedView(tx: Db, to: ViewChange): Promise<SavedViewRow | undefined> {
  const values = [to.id, to.name, to.shared, JSON.stringify(to.state), to.by];
  return tx.query<SavedViewRow>(changeStatement, values).then(
    ([row]) => row,
    (error) => (sqlState(error) === NOT_UNIQUE ? undefined : Promise.reject(error)),
  );
}

const deleteStatement: Statement = {
  name: "delete-saved-view",
  text: "delete from handrail.saved_view where id = $1",
};

export async function deleteSavedView(tx: Db, id: string): Promise<void> {
  await tx.query(deleteStatement, [id]);
}
