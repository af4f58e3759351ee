import { HandrailError } from "../engine/errors";
import { type Action, may, type Permissions, seesMasked, seesWorkflow } from "../engine/permission";
import { SEARCH_KINDS, type SearchKind } from "../operator/search";
import type { Reads } from "./client";
import type { ProblemDetail } from "./contract/problems";
import type { RunFilter } from "./contract/requests";
import type { Run } from "./contract/run";
import type { Schedule } from "./contract/schedules";

/** @throws HandrailError `forbidden` */
export function demand(asker: Permissions, action: Action, workflows: readonly string[] = []): void {
  const openness = may(asker, action, workflows);
  if (!openness.open) throw new HandrailError("forbidden", openness.because, { action });
}

/**
 * The reads that somebody may do, for the API and for pages that are rendered here: what is told workflow by workflow leaves
 * out those that are not theirs.
 */
export function permittedReads(reads: Reads, asker: Permissions): Reads {
  const whole =
    <Asked extends unknown[], Answer>(action: Action, read: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked) => {
      demand(asker, action);
      return read(...asked);
    };
  return {
    ...readsOfRuns(reads, asker),
    ...listsByWorkflow(reads, asker),
    ...readsOfSchedules(reads, asker),
    ...readsOfProblems(reads, asker),
    ...readsOfOperations(reads, asker),
    search: async ({ q }, options) => {
      demand(asker, "run.read");
      return reads.search(sighted(asker, { q, workflows: asker.workflows, kinds: kindsFor(asker) }), options);
    },
    overview: whole("overview.read", reads.overview),
    audit: whole("audit.read", reads.audit),
    auditChain: whole("audit.read", reads.auditChain),
  };
}

const SEARCHED: Record<SearchKind, Action> = {
  runs: "run.read",
  workflows: "workflow.read",
  problems: "problem.read",
  operations: "operation.read",
  schedules: "schedule.read",
  people: "audit.read",
};

const kindsFor = (asker: Permissions) => SEARCH_KINDS.filter((kind) => may(asker, SEARCHED[kind]).open);

const theirs =
  (asker: Permissions) =>
  ({ workflow }: { workflow: string }) =>
    seesWorkflow(asker, workflow);

function readsOfRuns(reads: Reads, asker: Permissions) {
  const sees = async (runId: string) => {
    demand(asker, "run.read");
    if (asker.workflows !== null) demand(asker, "run.read", [(await reads.run(runId, { steps: 1 })).workflow]);
  };
  return {
    runs: async (filter, options) => reads.runs(narrowed(asker, filter), options),
    runCounts: async (filter, options) => reads.runCounts(narrowed(asker, filter), options),
    runHistogram: async (filter, options) => reads.runHistogram(narrowed(asker, filter), options),
    run: async (runId, options) => {
      demand(asker, "run.read");
      const run = await reads.run(runId, options);
      demand(asker, "run.read", [run.workflow]);
      return withOwnActs(asker, run);
    },
    steps: async (runId, page, options) => sees(runId).then(() => reads.steps(runId, page, options)),
    step: async (runId, name, options) => sees(runId).then(() => reads.step(runId, name, options)),
    runLog: async (runId, page, options) => {
      await sees(runId);
      return reads.runLog(runId, sighted(asker, page), options);
    },
    children: async (runId, page, options) => {
      await sees(runId);
      const { runs, ...rest } = await reads.children(runId, page, options);
      return { ...rest, runs: runs.filter(theirs(asker)) };
    },
    runEffects: async (runId, page, options) => sees(runId).then(() => reads.runEffects(runId, page, options)),
    effects: async (filter, options) => reads.effects(narrowed(asker, filter), options),
  } satisfies Partial<Reads>;
}

function listsByWorkflow(reads: Reads, asker: Permissions) {
  return {
    compensations: async (filter, options) => reads.compensations(narrowed(asker, filter, "board.read"), options),
    compensationCounts: async (filter, options) =>
      reads.compensationCounts(narrowed(asker, filter, "board.read"), options),
    approvals: async (page, options) => {
      demand(asker, "board.read");
      const { approvals, ...rest } = await reads.approvals(page, options);
      return { ...rest, approvals: approvals.filter(theirs(asker)) };
    },
    workflows: async (options) => {
      demand(asker, "workflow.read");
      const { workflows, ...rest } = await reads.workflows(options);
      return { ...rest, workflows: workflows.filter(({ name }) => seesWorkflow(asker, name)) };
    },
    flow: async (filter, options) => reads.flow(narrowed(asker, filter, "workflow.read"), options),
    workflowFlow: async (workflow, window, options) => {
      demand(asker, "workflow.read", [workflow]);
      return reads.workflowFlow(workflow, window, options);
    },
    databaseHealth: async (options) => {
      demand(asker, "system.read");
      return reads.databaseHealth(options);
    },
    workers: async (options) => {
      demand(asker, "system.read");
      const { workers, ...rest } = await reads.workers(options);
      const told = workers.map((worker) => ({
        ...worker,
        workflows: worker.workflows.filter((name) => seesWorkflow(asker, name)),
      }));
      // One that has nothing to do yet, or nothing any more, is no secret of a workflow.
      return {
        ...rest,
        workers: told.filter(({ workflows }, index) => workflows.length > 0 || !workers[index]?.workflows.length),
      };
    },
    retention: async (options) => {
      demand(asker, "system.read");
      const { workflows, ...rest } = await reads.retention(options);
      return { ...rest, workflows: workflows.filter(theirs(asker)) };
    },
  } satisfies Partial<Reads>;
}

function readsOfSchedules(reads: Reads, asker: Permissions) {
  const schedule = async (name: string) => {
    demand(asker, "schedule.read");
    const found = await reads.schedule(name);
    demand(asker, "schedule.read", [found.workflow]);
    return { ...found, acts: ownActs(asker, "schedule", found) };
  };
  return {
    schedules: async (page, options) => {
      demand(asker, "schedule.read");
      const { schedules, ...rest } = await reads.schedules(page, options);
      return { ...rest, schedules: schedules.filter(theirs(asker)) };
    },
    schedule,
    backfillPreview: async (name, range, options) => {
      await schedule(name);
      return reads.backfillPreview(name, range, options);
    },
  } satisfies Partial<Reads>;
}

function readsOfProblems(reads: Reads, asker: Permissions) {
  return {
    problems: async (filter, options) =>
      reads.problems(sighted(asker, narrowed(asker, filter, "problem.read")), options),
    problem: async (problemId, options) => {
      demand(asker, "problem.read");
      const problem = await reads.problem(problemId, options);
      demand(asker, "problem.read", [problem.workflow]);
      return { ...problem, acts: ownActs(asker, "problem", problem) };
    },
  } satisfies Partial<Reads>;
}

/** Told to those who may be told of every one of its workflows. */
function readsOfOperations(reads: Reads, asker: Permissions) {
  const plan: Reads["plan"] = async (planId, options) => {
    demand(asker, "operation.read");
    const found = await reads.plan(planId, options);
    demand(asker, "operation.read", found.workflows);
    return found;
  };
  const operation: Reads["operation"] = async (operationId, options) => {
    demand(asker, "operation.read");
    const found = await reads.operation(operationId, options);
    demand(asker, "operation.read", found.workflows);
    return found;
  };
  const { workflows: bound } = asker;
  return {
    plan,
    planItems: async (planId, page, options) => {
      demand(asker, "operation.read");
      if (bound) await plan(planId);
      return reads.planItems(planId, page, options);
    },
    planApprovals: async (page, options) => {
      demand(asker, "operation.read");
      // They are not told apart by workflow.
      if (bound) demand(asker, "plan.approve");
      return reads.planApprovals(page, options);
    },
    operation,
    operations: async (page, options) => {
      demand(asker, "operation.read", page.workflow);
      return reads.operations({ ...page, ...(bound && { workflow: page.workflow ?? [...bound] }) }, options);
    },
    operationItems: async (operationId, page, options) => {
      demand(asker, "operation.read");
      if (bound) await operation(operationId);
      return reads.operationItems(operationId, page, options);
    },
  } satisfies Partial<Reads>;
}

type Acting =
  | Pick<Run, "workflow" | "acts">
  | Pick<Schedule, "workflow" | "acts">
  | Pick<ProblemDetail, "workflow" | "acts">;

/** An act that its rule leaves open and their permission does not is closed to them, and says why. */
function ownActs<Of extends Acting>(
  asker: Permissions,
  of: "run" | "schedule" | "problem",
  { acts, workflow }: Of,
): Of["acts"] {
  return acts.map((state) => {
    const openness = may(asker, `${of}.${state.act}` as Action, [workflow]);
    return openness.open ? state : { ...state, open: false, because: openness.because };
  }) as Of["acts"];
}

/** A run as somebody may act on it, whether they have asked for it or have just done something to it. */
export function withOwnActs(asker: Permissions, run: Run): Run {
  const acts = ownActs(asker, "run", run);
  const { primaryAct } = run;
  const isTheirs = primaryAct !== null && may(asker, `run.${primaryAct}`, [run.workflow]).open;
  return { ...run, acts, primaryAct: isTheirs ? primaryAct : null };
}

/**
 * A list by workflow is asked for theirs alone: what is left out afterwards would leave pages empty and counts wrong. One of runs
 * finds nothing by what is masked, unless they may look at it.
 */
export function narrowed<Filter extends Pick<RunFilter, "workflow">>(
  asker: Permissions,
  filter: Filter,
  action: Action = "run.read",
): Filter {
  demand(asker, action, filter.workflow);
  const { workflows } = asker;
  // An empty list of workflows stands for all of them, like none.
  const all = (filter.workflow ?? []).length === 0;
  const own = all && workflows !== null ? { ...filter, workflow: [...workflows] } : filter;
  return action === "run.read" ? sighted(asker, own) : own;
}

/** The same filter, which finds nothing by what is masked unless they may look at that. */
const sighted = <Filter extends object>(asker: Permissions, filter: Filter): Filter =>
  seesMasked(asker) ? filter : { ...filter, blind: true };
