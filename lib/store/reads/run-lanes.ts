import { hasEnded, type RunStatus } from "../../engine/runs/run";
import { OWN_WORKFLOWS } from "../../engine/workflows/own-workflows";
import { needsAttention } from "../runs/attention";
import { storedValuesFor } from "../tag-values";
import {
  BY_STATUS,
  conditionsOf,
  digestsOf,
  hasId,
  hasKey,
  hasTitle,
  heldBy,
  IN_TROUBLE,
  standsAt,
} from "./run-conditions";
import type { Parameters, RunFilter } from "./run-filter";

/**
 * One indexed way to runs: `walk` is what its index leads to, in the order of the list; `fits` is checked for each run
 * on the way. A run is in the answer when it is found on any way.
 */
export interface Lane {
  from: string;
  /**
   * The run's id in the index that is walked, if that is not the run's own: bounds apply to both, or all rows before
   * are read.
   */
  ids?: "tag.run_id" | "held.run_id";
  walk: string[];
  /** What is left out on the way and that its index may not know: not checked to see how far a way goes. */
  but: string[];
  fits: string[];
}

/** A way, and the fields of the filter that hold of every run on it. */
type Way = Omit<Lane, "but" | "fits"> & { walked: (keyof RunFilter)[]; fits?: string[] };

const RUN = "handrail.run";
const BY_TAG = "handrail.run_tag tag join handrail.run on run.id = tag.run_id";

/** The ways to the runs that match a filter, in the order of ids, by the narrowest index that it allows. */
export function lanesOf(filter: RunFilter, parameters: Parameters): Lane[] {
  return waysTo(filter, parameters).map(({ walked, fits = [], ...way }) => ({
    ...way,
    but: withoutOurOwn(filter),
    fits: [...fits, ...conditionsOf(filter, parameters, walked)],
  }));
}

/** The one way to failed runs, in the order of their ends. */
export const laneByEnd = (filter: RunFilter, parameters: Parameters): Lane => ({
  from: RUN,
  walk: ["run.status in ('failed', 'cancelled', 'compensated')"],
  but: withoutOurOwn(filter),
  fits: conditionsOf(filter, parameters, []),
});

function waysTo(filter: RunFilter, parameters: Parameters): Way[] {
  const { parentRunId, q, problem, step = [] } = filter;
  if (parentRunId !== undefined)
    return [
      { from: RUN, walk: [`run.parent_run_id = ${parameters.add(parentRunId, "uuid")}`], walked: ["parentRunId"] },
    ];
  if (q) return waysByName(q, filter, parameters);
  if (problem !== undefined) {
    const from = "handrail.problem_run as held join handrail.run on run.id = held.run_id";
    // If the trouble were part of the way, finding the runs of one problem would read all runs in trouble.
    return [{ from, ids: "held.run_id", walk: heldBy(problem, parameters), walked: ["problem"], fits: [IN_TROUBLE] }];
  }
  const [tag, ...others] = Object.entries(filter.tags ?? {});
  if (tag) {
    const name = parameters.add(tag[0], "text");
    return digestsOf(tag[1], filter.blind ?? false).map((value) => ({
      from: BY_TAG,
      ids: "tag.run_id",
      walk: [`tag.name = ${name}`, `tag.value = ${parameters.add(value, "text")}`],
      walked: others.length === 0 ? ["tags"] : [],
    }));
  }
  if (step.length > 0)
    return [...new Set(step)].flatMap((name) =>
      waysToStand(parameters.add(name, "text"), filter).map(
        (at): Way => ({ from: RUN, walk: [`(${at})`], walked: ["step"] }),
      ),
    );
  return waysByState(filter, parameters);
}

/** No ended run waits or has a worker: for these statuses, the ways to waiting and owned runs are left out. */
function waysToStand(step: string, { status = [] }: RunFilter): string[] {
  const at = standsAt(step);
  return status.length > 0 && status.every(hasEnded) ? [at.failed] : Object.values(at);
}

function waysByName(q: string, filter: RunFilter, parameters: Parameters): Way[] {
  const { blind = false } = filter;
  const id = hasId(q, parameters);
  return [
    ...(id ? [{ from: RUN, walk: [id], walked: ["q"] } satisfies Way] : []),
    { from: RUN, walk: [hasKey(q, blind, parameters)], walked: ["q"] },
    ...storedValuesFor(q, blind).map(
      (value): Way => ({
        from: BY_TAG,
        ids: "tag.run_id",
        walk: [`tag.value = ${parameters.add(value, "text")}`],
        walked: ["q"],
      }),
    ),
    ...waysByTitle(q, filter, parameters),
  ];
}

/** Few are read whole, for their index has another order than the list; of many, the newest runs are checked. */
function waysByTitle(q: string, filter: RunFilter, parameters: Parameters): Way[] {
  if (filter.titled !== "few" && filter.titled !== "many") return [];
  const title = hasTitle(q, parameters);
  if (title === undefined) return [];
  // Without the offset, the planner may walk all runs by their ids.
  if (filter.titled === "few")
    return [{ from: `(select * from ${RUN} where ${title} offset 0) as run`, walk: [], walked: ["q"] }];
  return waysByState(filter, parameters).map(({ walked, fits = [], ...way }) => ({
    ...way,
    walked: [...walked, "q"],
    fits: [...fits, title],
  }));
}

/**
 * For more workflows than this, the workflow of each run of the status is checked, rather than walking an index for
 * each.
 */
const MOST_WORKFLOWS = 4;

/** An index leads to these of one workflow; to the waiting ones of all workflows. */
const RARE: readonly RunStatus[] = ["failed", "cancelled", "compensating", "compensated", "paused"];

function waysByState({ status = [], attention = [], workflow = [], error = [] }: RunFilter, parameters: Parameters) {
  const way = (walk: string[], ...walked: Way["walked"]): Way => ({ from: RUN, walk, walked });
  const all = way([]);
  const names = [...new Set(workflow)];
  const byWorkflow = () => names.map((name) => way([`run.workflow = ${parameters.add(name, "text")}`], "workflow"));
  const inAnyOfThem = () => [way([`run.workflow = any (${parameters.add(names, "text[]")})`], "workflow")];
  if (status.length > 0)
    return [...new Set(status)].flatMap((one): Way[] => {
      if (one === "completed") return names.length > 0 ? byWorkflow() : [all];
      // In the order of lists. The claims' indexes, which begin with the workflow, have another: a whole backlog would be sorted.
      if (one === "pending" && names.length === 0) return [way(["run.status = 'pending'"], "status")];
      const ofStatus = BY_STATUS[one].map((walk) => way([walk], "status"));
      const sorted = one === "pending" || one === "running";
      if (names.length === 0 || !(sorted || (RARE.includes(one) && names.length <= MOST_WORKFLOWS))) return ofStatus;
      const narrower = sorted ? inAnyOfThem() : byWorkflow();
      return ofStatus.flatMap((way) => narrower.map((other) => within(way, other)));
    });
  if (attention.length > 0)
    return [...new Set(attention)].map((one) => way([needsAttention("run", parameters.add(one, "text"))], "attention"));
  if (names.length > 0) return byWorkflow();
  return [error.length > 0 ? way(["run.error is not null"]) : all];
}

const within = (one: Way, other: Way): Way => ({
  from: RUN,
  walk: [...one.walk, ...other.walk],
  walked: [...one.walked, ...other.walked],
});

/**
 * Internal runs are found by their workflow's name, an id or a business key, and are otherwise not mixed with the
 * app's.
 */
const withoutOurOwn = ({ workflow = [], q, parentRunId, problem, tags = {} }: RunFilter) =>
  workflow.length > 0 || q || problem || parentRunId !== undefined || Object.keys(tags).length > 0
    ? []
    : OWN_WORKFLOWS.map((name) => `run.workflow <> '${name}'`);

/** Conditions of the run, and those on its id for the index of the way, too. */
export const bounded = ({ ids }: Lane, conditions: readonly string[]): string[] => [
  ...conditions,
  ...(ids ? conditions.filter((one) => one.startsWith("run.id ")).map((one) => one.replace("run.id", ids)) : []),
];
