import type { Openness } from "./operator-acts";

/** The query of the runs page's URL, by parameter name. */
export type ViewState = Record<string, string>;

export const MAX_VIEW_NAME = 60;
/** Per owner. */
export const MAX_VIEWS = 100;
export const MAX_VIEW_PARTS = 30;
/** Per parameter, such as the columns. */
export const MAX_VIEW_PART = 2_000;

interface ViewFacts {
  mine: boolean;
  /** Whether the view is shared with the team now. */
  shared: boolean;
}

/**
 * Whether a person may change or delete a view: their own always; a shared one only with the permission to share.
 * @param mayShare whether they may share views with the team
 * @param toShared whether it will be shared afterwards
 */
export function mayChangeView({ mine, shared }: ViewFacts, mayShare: boolean, toShared = false): Openness {
  if (!mine && !shared) return { open: false, because: "This view belongs to another person." };
  if (!mine && !mayShare)
    return { open: false, because: "To change a view of the team, you need permission to share views." };
  if (toShared && !shared && !mayShare)
    return { open: false, because: "You may not share views with the team. It takes the role operator." };
  return { open: true };
}
