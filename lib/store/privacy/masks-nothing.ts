import { ANCESTORS, DESCENDANTS_IN_LISTS, MAY_HOLD_SECRETS } from "./masked-values";

/** For a row `run`: its workflow masks nothing. Its key, errors and payloads may contain values that a workflow masks. */
export const MASKS_NOTHING = `not exists (select from handrail.workflow as masking
        where masking.name = run.workflow and cardinality(masking.masked) > 0)`;

/**
 * The same of its ancestors and descendants, as far as lists know them: its errors and outputs contain values of theirs.
 * False where not all are known and any workflow masks anything.
 */
export const FAMILY_MASKS_NOTHING = `(not exists (select from handrail.workflow where cardinality(masked) > 0) or (
        with recursive up (parent_run_id, workflow, height) as (
          select run.parent_run_id, run.workflow, 0
          union all
          select parent.parent_run_id, parent.workflow, up.height + 1
          from up join handrail.run as parent on parent.id = up.parent_run_id where up.height <= ${ANCESTORS}
        ), down (id, workflow, depth) as (
          select run.id, null::text, 0
          union all
          select child.id, child.workflow, down.depth + 1 from down cross join lateral (
            select id, workflow from handrail.run where parent_run_id = down.id order by id desc limit ${DESCENDANTS_IN_LISTS} + 1
          ) as child
        ), below as (select workflow from down where depth > 0 limit ${DESCENDANTS_IN_LISTS} + 1)
        select (select count(*) from below) <= ${DESCENDANTS_IN_LISTS} and not exists (select from up where height > ${ANCESTORS})
          and not exists (select from handrail.workflow as masking where cardinality(masking.masked) > 0
            and masking.name in (select workflow from up union all select workflow from below))
      ))`;

/** A value of this length or more is not searched for names that are always masked. */
const SEARCHED_BYTES = 65_536;
const hasNoSecret = (column: string) =>
  `coalesce(octet_length(${column}) < ${SEARCHED_BYTES} and ${column} !~* ${MAY_HOLD_SECRETS}, ${column} is null)`;

/** For a row `run` whose error is searched by a caller who may not see masked values. */
export const ERROR_HIDES_NOTHING = `${hasNoSecret("run.input")} and ${hasNoSecret("run.output")} and ${FAMILY_MASKS_NOTHING}`;
