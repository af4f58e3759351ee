import { v7 as uuidv7 } from "uuid";
import { HandrailError } from "../engine/errors";
import { MAX_VIEWS, mayChangeView, type ViewState } from "../engine/runs/saved-view";
import type { Db } from "../store/db";
import {
  changeSavedView,
  countSavedViews,
  deleteSavedView,
  insertSavedView,
  listSavedViews,
  lockSavedView,
  type SavedViewRow,
} from "../store/runs/saved-views";
import { type Attempt, audited } from "./audit/audited";
import type { Desk } from "./desk";
import { asInstant } from "./values";

/** Who reads and saves views. */
export interface ViewOwner {
  /** `person:…`, `token:…` or `anybody`. */
  id: string;
  mayShare: boolean;
  /** The workflows that the caller is limited to; null: all. */
  workflows: readonly string[] | null;
}

interface GivenView {
  name: string;
  shared: boolean;
  state: ViewState;
}

export const readSavedViews = async (db: Db, owner: ViewOwner) => ({
  views: (await listSavedViews(db, owner.id)).filter((row) => maySee(row, owner)).map((row) => viewOf(row, owner)),
});

/** Filters contain names and tag values: a caller limited to workflows sees the team's views of these alone. */
function maySee({ owner_id, shared, state }: SavedViewRow, { id, workflows }: ViewOwner): boolean {
  if (owner_id === id) return true;
  const named = (state.workflow ?? "").split(",").filter(Boolean);
  return shared && (workflows === null || (named.length > 0 && named.every((name) => workflows.includes(name))));
}

/** @throws HandrailError `forbidden`, or `not_allowed` for a name that is taken or one view too many */
export async function saveView(desk: Desk, owner: ViewOwner, given: GivenView) {
  const attempt = attemptOf("save_view", "Saved a view.", given);
  const { body } = await audited(desk, attempt, async (tx, record) => {
    attempt.before = {};
    demandOpen(mayChangeView({ mine: true, shared: false }, owner.mayShare, given.shared));
    if ((await countSavedViews(tx, owner.id)) >= MAX_VIEWS)
      throw new HandrailError("not_allowed", `You have ${MAX_VIEWS} views. Delete one you do not use any more.`);
    const { name: by } = desk.by;
    const row = await insertSavedView(tx, { id: uuidv7(), owner_id: owner.id, owner: by, ...given });
    if (!row) throw nameTaken(given.name);
    await record({ viewId: row.id });
    return { status: 201, body: viewOf(row, owner) };
  });
  return body;
}

type Change = GivenView & { id: string; revision: number };

/**
 * @throws HandrailError `unknown_view`, `forbidden`, `changed` after another user's change, or `not_allowed` for a name
 * that is taken
 */
export async function changeView(desk: Desk, owner: ViewOwner, { id, revision, ...given }: Change) {
  const attempt = attemptOf("change_view", "Changed a view.", { viewId: id, ...given });
  const { body } = await audited(desk, attempt, async (tx, record) => {
    await lockedFor(tx, owner, attempt, { id, revision, toShared: given.shared });
    const row = await changeSavedView(tx, { id, ...given, by: desk.by.name });
    if (!row) throw nameTaken(given.name);
    await record({ revision: row.revision });
    return { status: 200, body: viewOf(row, owner) };
  });
  return body;
}

/** @throws HandrailError `unknown_view`, `forbidden` or `changed` */
export async function deleteView(desk: Desk, owner: ViewOwner, { id, revision }: { id: string; revision: number }) {
  const attempt = attemptOf("delete_view", "Deleted a view.", { viewId: id });
  const { body } = await audited(desk, attempt, async (tx, record) => {
    await lockedFor(tx, owner, attempt, { id, revision, toShared: false });
    await deleteSavedView(tx, id);
    await record({});
    return { status: 200, body: { done: true as const } };
  });
  return body;
}

/** Prevents lost updates: the view must still be the one that the caller saw. */
async function lockedFor(
  tx: Db,
  owner: ViewOwner,
  attempt: Attempt,
  { id, revision, toShared }: { id: string; revision: number; toShared: boolean },
): Promise<SavedViewRow> {
  const row = await lockSavedView(tx, id);
  // The existence of a private view is not revealed to other users.
  if (!row || !maySee(row, owner)) throw new HandrailError("unknown_view", "There is no such view (any more).");
  attempt.before = { name: row.name, shared: row.shared, state: row.state, revision: row.revision };
  demandOpen(mayChangeView({ mine: row.owner_id === owner.id, shared: row.shared }, owner.mayShare, toShared));
  if (row.revision !== revision)
    throw new HandrailError(
      "changed",
      `${row.updated_by} has changed this view meanwhile. Look at theirs, or save yours under another name.`,
      {
        revision: row.revision,
      },
    );
  return row;
}

function demandOpen(openness: ReturnType<typeof mayChangeView>): void {
  if (!openness.open) throw new HandrailError("forbidden", openness.because, { action: "view.share" });
}

const nameTaken = (name: string) =>
  new HandrailError("not_allowed", `There is a view "${name}" already. Choose another name, or change that one.`);

const attemptOf = (act: string, reason: string, details: object): Attempt => ({ act, runId: null, reason, details });

const viewOf = (row: SavedViewRow, owner: ViewOwner) => ({
  id: row.id,
  name: row.name,
  owner: row.owner,
  mine: row.owner_id === owner.id,
  shared: row.shared,
  mayChange: mayChangeView({ mine: row.owner_id === owner.id, shared: row.shared }, owner.mayShare).open,
  state: row.state,
  revision: row.revision,
  updatedAt: asInstant(row.updated_at),
  updatedBy: row.updated_by,
});
