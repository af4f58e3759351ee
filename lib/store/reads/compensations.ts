import type { CompensationLane, OpenLane } from "../../engine/compensations/compensation-board";
import type { Db } from "../db";
import { shown } from "../payloads";
import type { CompensationRow, RunRow, StepRow } from "../rows";
import { COMPENSATION_LANES, OPEN_COMPENSATIONS } from "../runs/attention";
import { Parameters } from "./run-filter";

export interface BoardRow extends CompensationRow {
  run_id: string;
  workflow: string;
  version: number;
  title: string;
  tags: Record<string, string> | null;
  run_title: string | null;
  run_status: RunRow["status"];
  run_revision: number;
  /** The step that is compensated first; what completed before it waits behind it. */
  run_waiting_step: RunRow["waiting_step"];
  effect: StepRow["effect"];
  step_finished_at: StepRow["finished_at"];
  step_reference: StepRow["reference"];
  step_output: StepRow["output"];
  /** No attempt of it has an outcome: an operator resolved it, or its code was asked later. */
  step_settled: boolean;
  key_generation: number;
  /** The instant that orders the list, to the microsecond, for the cursor. */
  key_at: string;
}

export interface BoardFilter {
  lane?: CompensationLane | undefined;
  workflow?: string[] | undefined;
  assignee?: string | undefined;
  /** Only unassigned ones. */
  free?: "true" | undefined;
}

/** Where a page begins: after this compensation. */
export type CompensationKey = [at: string, runId: string, step: string, generation: number];

/** The resolved latest first, any other lane oldest first: a page by one index, after a key of the page before. */
export async function listCompensations(
  db: Db,
  filter: BoardFilter,
  page: { after: CompensationKey | null; limit: number },
): Promise<BoardRow[]> {
  const parameters = new Parameters();
  const settled = filter.lane === "settled";
  const [at, direction] = settled ? ["finished_at", "desc"] : ["owed_at", "asc"];
  const keys = [at, "run_id", "step", "generation"].map((column) => `compensation.${column}`);
  const order = keys.map((key) => `${key} ${direction}`).join(", ");
  const conditions = [
    filter.lane === undefined ? OPEN_COMPENSATIONS : COMPENSATION_LANES[filter.lane],
    ...narrowing(filter, parameters),
  ];
  if (page.after !== null) {
    const types = ["timestamptz", "uuid", "text", "int"];
    const after = page.after.map((value, index) => parameters.add(value, types[index] as string));
    conditions.push(`(${keys.join(", ")}) ${settled ? "<" : ">"} (${after.join(", ")})`);
  }
  // The page first, by its index; details are read for its rows only.
  const text = `
    with compensation as materialized (
      select compensation.* from ${fromOf(filter)} where ${conditions.join(" and ")}
      order by ${order} limit ${parameters.add(page.limit, "int")}
    )
    select compensation.*, compensation.${at}::text as key_at,
      run.workflow, run.version, coalesce(workflow.title, run.workflow) as title, run.tags, run.run_title,
      run.status as run_status, run.revision as run_revision, run.waiting_step as run_waiting_step,
      step.effect, step.finished_at as step_finished_at, step.reference as step_reference, step.output as step_output,
      step.key_generation,
      step.attempt = 0 or exists (select from handrail.attempt where attempt.run_id = step.run_id and attempt.step = step.name
        and attempt.generation = step.generation and attempt.number = step.attempt and attempt.status = 'unknown') as step_settled
    from compensation
    join handrail.run on run.id = compensation.run_id
    join handrail.step on step.run_id = compensation.run_id
      and step.name = compensation.step and step.generation = compensation.generation
    left join handrail.workflow on workflow.name = run.workflow and workflow.version = run.version
    order by ${order}`;
  // Unnamed: its shape follows the filter, and a plan made for the values at hand can use the partial indexes.
  const rows = await db.query<BoardRow>({ name: "", text }, parameters.values);
  return rows.map((row) => ({
    ...row,
    step_output: shown([row.run_id, "step", row.step, row.generation], row.step_output),
  }));
}

/** How many are in each open lane; no count goes beyond `cap`, where it stops reading. */
export function countCompensations(db: Db, filter: Omit<BoardFilter, "lane">, lanes: readonly OpenLane[], cap: number) {
  const parameters = new Parameters();
  const narrowed = narrowing(filter, parameters);
  const limit = parameters.add(cap, "int");
  const counts = lanes.map(
    (lane) => `select '${lane}' as lane, count(*)::int as count from (
      select from ${fromOf(filter)} where ${[COMPENSATION_LANES[lane], ...narrowed].join(" and ")} limit ${limit}) as found`,
  );
  return db.query<{ lane: OpenLane; count: number }>(
    { name: "", text: counts.join("\nunion all ") },
    parameters.values,
  );
}

const fromOf = ({ workflow }: BoardFilter) =>
  `handrail.compensation${workflow ? " join handrail.run on run.id = compensation.run_id" : ""}`;

function narrowing({ workflow, assignee, free }: BoardFilter, parameters: Parameters): string[] {
  return [
    ...(workflow ? [`run.workflow = any (${parameters.add(workflow, "text[]")})`] : []),
    ...(assignee === undefined ? [] : [`compensation.assignee = ${parameters.add(assignee, "text")}`]),
    ...(free ? ["compensation.assignee is null"] : []),
  ];
}
