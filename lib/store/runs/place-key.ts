import { sha256 } from "../../engine/digest";
import type { Db, Statement } from "../db";

/** An idempotency key of a workflow that a fleet places. */
export interface KeyToPlace {
  workflow: string;
  key: string;
  /** This cell: where the key is if a run of it is here. */
  here: string;
  /** Where it goes if nothing says where it is. */
  cell: string;
}

/*
 * Guarantee: of any number of processes that place one key, with any wishes, all get the same cell. Races with: the same
 * statement in other sessions, which waits on the primary key; the loser reads the winner's row by its next statement.
 */
const placeStatement: Statement = {
  name: "place-key",
  text: `
    with kept as (
      select cell from handrail.placed_key where digest = decode($1, 'hex')
    ), placed as (
      insert into handrail.placed_key (digest, cell)
      select decode($1, 'hex'), case when exists (
        select from handrail.run where idempotency_key = $2 and workflow = $3) then $4 else $5 end
      where not exists (select from kept)
      on conflict do nothing
      returning cell
    )
    select cell from kept union all select cell from placed`,
};

/** The cell where the key lives from now on. */
export async function placeKey(db: Db, { workflow, key, here, cell }: KeyToPlace): Promise<string> {
  for (;;) {
    const digest = sha256(`${workflow}\n${key}`);
    const [placed] = await db.query<{ cell: string }>(placeStatement, [digest, key, workflow, here, cell]);
    if (placed) return placed.cell;
  }
}

const hasStatement: Statement = {
  name: "has-key",
  text: "select exists (select from handrail.run where idempotency_key = $1 and workflow = $2) as found",
};

/** Whether a run of this key is here. */
export async function hasKey(db: Db, { workflow, key }: Pick<KeyToPlace, "workflow" | "key">): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(hasStatement, [key, workflow]);
  return row?.found === true;
}
