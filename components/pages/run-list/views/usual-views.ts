import { ATTENTIONS } from "@/lib/engine/runs/run";
import type { ViewState } from "@/lib/engine/runs/saved-view";

/** A view that is always shown. */
export interface UsualView {
  id: string;
  name: string;
  state: ViewState;
}

export const ALL_RUNS: UsualView = { id: "all", name: "All runs", state: {} };

/** The views that an on-call operator wants first. */
export const USUAL_VIEWS: readonly UsualView[] = [
  ALL_RUNS,
  { id: "needs-attention", name: "Needs attention", state: { attention: ATTENTIONS.join(",") } },
  {
    id: "failed",
    name: "Failed in the last 24 h",
    state: { status: "failed", since: "24h", sort: "ended", cols: "status,workflow,key,error,ended,attempt" },
  },
  {
    id: "running-long",
    name: "Running for over 5 min",
    state: { status: "running", took: ">5m", sort: "oldest", cols: "status,workflow,key,steps,now,took,worker" },
  },
  { id: "waiting", name: "Waiting", state: { status: "waiting", cols: "status,workflow,key,now,due,started" } },
];
