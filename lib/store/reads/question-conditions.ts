import { HandrailError } from "../../engine/errors";
import { maskOf } from "../../engine/privacy/mask";
import { SEALED_PREFIX } from "../../engine/privacy/sealed";
import { type RunQuestion, readQuestion } from "../../engine/runs/run-question";
import { payloadKeys } from "../payloads";
import { MAY_HOLD_SECRETS } from "../privacy/masked-values";
import { FAMILY_MASKS_NOTHING } from "../privacy/masks-nothing";
import type { Parameters } from "./run-filter";
import { MAX_LISTED_BYTES } from "./run-list";

/*
 * Questions about what a run did, asked of one run that was found on a way of run-lanes.ts. Each follows the primary key of the
 * run's steps, or parses one value of the run: no index leads to them, so they cost the same for each run that is read, and a page
 * reads a bounded number. A sub-select of one row each: an EXISTS beside others may be answered by hashing a whole table.
 */

/** @throws HandrailError `invalid_request` for a question that cannot be answered here, with what to do instead */
export function questionCondition(text: string, blind: boolean | undefined, parameters: Parameters): string {
  const read = readQuestion(text);
  if (read === null || "says" in read)
    throw new HandrailError(
      "invalid_request",
      read?.says ?? `“${text}” is not a question: docs/console/filters.md has them.`,
    );
  const { question } = read;
  switch (question.asks) {
    case "did": {
      const done = ofStep(`name = ${parameters.add(question.step, "text")} and status = 'completed'`);
      return question.not ? `not ${done}` : done;
    }
    case "failed_attempts":
      return ofStep(`failures > ${parameters.add(question.over, "int")}`);
    case "step_took":
      return stepTook(question, parameters);
    case "value":
      return valueAt(question, blind ?? false, parameters);
  }
}

/** Never null: a run without such a step counts as one that did not. */
const ofStep = (condition: string) =>
  `coalesce((select true from handrail.step where step.run_id = run.id and superseded_by is null and ${condition} limit 1), false)`;

function stepTook({ step, compares, ms }: RunQuestion & { asks: "step_took" }, parameters: Parameters): string {
  const began = `least(started_at, (select min(attempt.started_at) from handrail.attempt where attempt.run_id = step.run_id
        and attempt.step = step.name and attempt.generation = step.generation))`;
  return ofStep(`name = ${parameters.add(step, "text")} and coalesce(finished_at, clock_timestamp()) - ${began}
        ${compares} ${parameters.add(ms, "float8")} * interval '1 ms'`);
}

/**
 * Callers who may not see masked values ask runs of workflows that mask nothing, and no value under or beside a name that is
 * always masked: a guess would be confirmed by what the list has.
 */
function valueAt(
  { of, keys, compares, value }: RunQuestion & { asks: "value" },
  blind: boolean,
  parameters: Parameters,
): string {
  if (payloadKeys())
    throw new HandrailError(
      "invalid_request",
      `No filter reads ${of}s here: they are sealed with a payload key. Give the runs a tag, and filter by tag.NAME:value.`,
    );
  const always = maskOf([]);
  if (blind && keys.some((_, index) => always.covers(keys.slice(0, index + 1)))) return "false";
  const column = `run.${of}`;
  const found = `(${column}::json #> ${parameters.add(keys, "text[]")})`;
  const readable = `${column} is not null and octet_length(${column}) <= ${MAX_LISTED_BYTES} and not starts_with(${column}, '${SEALED_PREFIX}')`;
  const allowed = blind ? ` and ${column} !~* ${MAY_HOLD_SECRETS} and ${FAMILY_MASKS_NOTHING}` : "";
  const matches =
    compares === "="
      ? `json_typeof(value) in ('string', 'number', 'boolean') and value #>> '{}' = ${parameters.add(value, "text")}`
      : `case when json_typeof(value) = 'number' then (value #>> '{}')::numeric ${compares} ${parameters.add(value, "numeric")} end`;
  // In this order: what is too long, or hidden, is not parsed.
  return `coalesce(case when ${readable}${allowed} then (select ${matches} from (select ${found} as value offset 0) as found) end, false)`;
}
