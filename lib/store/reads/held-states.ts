import type { Attention, RunStatus } from "../../engine/runs/run";
import { HOLDING_ATTENTIONS, heldBy } from "./run-conditions";
import type { Parameters } from "./run-filter";

/** Those that an index holds by their status (`run_in_status`). */
const INDEXED = [
  "failed",
  "waiting",
  "compensating",
  "cancelled",
  "compensated",
  "paused",
] as const satisfies RunStatus[];

/**
 * The newest runs that a problem holds, in the shape of `lookedAtText`: their states are read from two small indexes.
 * The runs themselves are far apart, each on a separate page that is rarely in memory.
 */
export function heldStatesText(problem: string, parameters: Parameters, most: number): string {
  const first = (column: string, values: readonly (RunStatus | Attention)[], ...otherwise: string[]) =>
    `coalesce(${[
      ...values.map(
        (value) => `(select ${column} from handrail.run where id = held.run_id and run.${column} = '${value}')`,
      ),
      ...otherwise,
    ].join(",\n          ")})`;
  const whatever = "(select status from handrail.run where id = held.run_id)";
  return `select 0 as lane, held.run_id as id, case when attention is not null then ${first("status", INDEXED, whatever)} end as status,
        attention, attention is not null as fits
      from (select run_id, ${first("attention", HOLDING_ATTENTIONS)} as attention
        from (select run_id from handrail.problem_run as held where ${heldBy(problem, parameters).join(" and ")} order by run_id desc limit ${most}) as held
        offset 0) as held`;
}
