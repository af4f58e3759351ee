/** For a row `run`: its workflow masks nothing. Its key, errors and payloads may contain values that a workflow masks. */
export const MASKS_NOTHING = `not exists (select from handrail.workflow as masking
        where masking.name = run.workflow and cardinality(masking.masked) > 0)`;
