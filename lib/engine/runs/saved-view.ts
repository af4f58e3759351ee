import type { Openness } from "./operator-acts";

/** What a view keeps: the address of the runs page, by the names of its parts. */
export type ViewState = Record<string, string>;

export const MAX_VIEW_NAME = 60;
/** Of one owner. */
export const MAX_VIEWS = 100;
export const MAX_VIEW_PARTS = 30;
/** Of one part, such as the columns. */
export const MAX_VIEW_PART = 2_000;

interface ViewFacts {
  mine: boolean;
  /** Whether the team sees it now. */
  shared: boolean;
}

/**
 * Whether somebody may change or delete a view: their own as they like; one that is shared is the team's, for those who may share.
 * @param mayShare whether they may share views with the team
 * @param toShared whether it is to be shared afterwards
 */
export function mayChangeView({ mine, shared }: ViewFacts, mayShare: boolean, toShared = false): Openness {
  if (!mine && !shared) return { open: false, because: "This view is somebody else's own." };
  if (!mine && !mayShare) return { open: false, because: "Views of the team are changed by those who may share them." };
  if (toShared && !shared && !mayShare)
    return { open: false, because: "You may not share views with the team. It takes the role operator." };
  return { open: true };
}
