import type { ChangedChild } from "../../store/rows";
import type { AlsoChanged } from "../audit/audited";

/** The audit rows of descendants that an action on a run changed with it. */
export const withParent = (children: readonly ChangedChild[], reason: string): AlsoChanged[] =>
  children.map(({ id, workflow, before, after }) => ({
    runId: id,
    workflow,
    reason,
    before,
    after: { ...after, withParent: true },
  }));
