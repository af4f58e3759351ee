import type { Attention, RunStatus } from "../../engine/runs/run";
import { idRange } from "../../engine/runs/run-ids";
import { ERROR_HIDES_NOTHING, FAMILY_MASKS_NOTHING } from "../privacy/masks-nothing";
import { attentionOf } from "../runs/attention";
import { storedValuesFor } from "../tag-values";
import { questionCondition } from "./question-conditions";
import type { Parameters, RunFilter } from "./run-filter";

/* Conditions on a run that was found on a way of run-lanes.ts: on its own row, its steps and its tags. */

/** The condition by which each status is found through an index, in the exact words of the index's predicate. */
export const BY_STATUS = {
  pending: [
    "run.status = 'pending' and run.due_at is null and run.queue_key is null and run.started_at is null",
    "run.status = 'pending' and run.due_at is null and run.queue_key is null and run.started_at is not null",
    "run.status = 'pending' and run.due_at is null and run.queue_key is not null and run.started_at is null",
    "run.status = 'pending' and run.due_at is null and run.queue_key is not null and run.started_at is not null",
    "run.status = 'pending' and run.due_at is not null",
  ],
  running: ["run.status = 'running' and run.worker_id is not null"],
  waiting: ["run.status = 'waiting'"],
  completed: ["run.status = 'completed'"],
  failed: ["run.status = 'failed'"],
  cancelled: ["run.status = 'cancelled'"],
  compensating: ["run.status = 'compensating'"],
  compensated: ["run.status = 'compensated'"],
  paused: ["run.status = 'paused'"],
} satisfies Record<RunStatus, string[]>;

/**
 * The ways in which a run can be at a step, each by a separate index; the last one, among the few that workers have.
 */
export const standsAt = (step: string) => ({
  failed: `run.failed_step = ${step}`,
  waits: `run.waiting_step = ${step}`,
  runs: `run.worker_id is not null and (select true from handrail.step where step.run_id = run.id and step.name = ${step}
        and step.status = 'running' and step.superseded_by is null limit 1)`,
});

export const heldBy = (problem: string, parameters: Parameters): string[] => [
  `held.problem_id = ${parameters.add(problem, "uuid")}`,
  "held.left_at is null",
];

/** Recovered runs that a problem still holds are left out: the fold is about to release them. */
export const HOLDING_ATTENTIONS = ["failed", "outcome_unknown", "compensation_owed"] as const satisfies Attention[];
export const IN_TROUBLE = `run.attention in (${HOLDING_ATTENTIONS.map((one) => `'${one}'`).join(", ")})`;

/** The version that had it last, as lists show it and charts count it. */
const CODE_VERSION = "coalesce(run.code_version, run.version)";

/** `blind` and `titled` are not conditions in themselves, and the time window is part of the order of the list. */
type Field = Exclude<keyof RunFilter, "createdAfter" | "createdBefore" | "blind" | "titled">;

/** The conditions of the filter except for those fields by which the way itself leads to the runs. */
export function conditionsOf(
  filter: RunFilter,
  parameters: Parameters,
  walked: readonly (keyof RunFilter)[],
): string[] {
  const fields = (Object.keys(CONDITIONS) as Field[]).filter((field) => !walked.includes(field));
  return fields.flatMap((field) => CONDITIONS[field](filter, parameters));
}

const CONDITIONS: Record<Field, (filter: RunFilter, parameters: Parameters) => string[]> = {
  q: ({ q, blind }, parameters) => (q ? [isKnownBy(q, blind, parameters)] : []),
  parentRunId: ({ parentRunId }, parameters) =>
    parentRunId === undefined ? [] : [`run.parent_run_id = ${parameters.add(parentRunId, "uuid")}`],
  status: ({ status }, parameters) => anyOf("run.status", status, "text", parameters),
  attention: ({ attention }, parameters) => anyOf(attentionOf("run"), attention, "text", parameters),
  workflow: ({ workflow }, parameters) => anyOf("run.workflow", workflow, "text", parameters),
  version: ({ version }, parameters) => anyOf(CODE_VERSION, version, "int", parameters),
  tags: ({ tags = {}, blind = false }, parameters) =>
    Object.entries(tags).map(([name, values]) => hasTag(name, digestsOf(values, blind), parameters)),
  problem: ({ problem }, parameters) =>
    problem === undefined
      ? []
      : [
          `exists (select from handrail.problem_run as held where held.run_id = run.id and ${heldBy(problem, parameters).join(" and ")}) and ${IN_TROUBLE}`,
        ],
  step: ({ step }, parameters) => some(step).map((names) => isAt(names, parameters)),
  where: ({ where = [], blind }, parameters) => where.map((text) => questionCondition(text, blind, parameters)),
  error: ({ error, blind }, parameters) => some(error).map((texts) => errorHas(texts, blind, parameters)),
  tookOverMs: ({ tookOverMs }, parameters) => took(">=", tookOverMs, parameters),
  tookUnderMs: ({ tookUnderMs }, parameters) => took("<", tookUnderMs, parameters),
  notWorkflow: ({ notWorkflow }, parameters) => noneOf("run.workflow", notWorkflow, "text", parameters),
  notVersion: ({ notVersion }, parameters) => noneOf(CODE_VERSION, notVersion, "int", parameters),
  notStep: ({ notStep }, parameters) => some(notStep).map((names) => `not ${isAt(names, parameters)}`),
  notError: ({ notError, blind }, parameters) =>
    some(notError).map((texts) => `not ${errorHas(texts, blind, parameters)}`),
};

/** The values, each once and wrapped in an array; an empty list, which is no condition, gives an empty array. */
const some = <Value>(values: readonly Value[] | undefined): Value[][] =>
  values === undefined || values.length === 0 ? [] : [[...new Set(values)]];

const anyOf = (column: string, values: readonly unknown[] | undefined, type: string, parameters: Parameters) =>
  some(values).map((all) => `${column} = any (${parameters.add(all, `${type}[]`)})`);

const noneOf = (column: string, values: readonly unknown[] | undefined, type: string, parameters: Parameters) =>
  some(values).map((all) => `${column} <> all (${parameters.add(all, `${type}[]`)})`);

/** The stored form of a tag: any of the values, or the digest of one that is masked. */
export const digestsOf = (values: string | readonly string[], blind: boolean): string[] =>
  [values].flat().flatMap((value) => storedValuesFor(value, blind));

const hasTag = (name: string, values: readonly string[], parameters: Parameters) =>
  `exists (select from handrail.run_tag where run_id = run.id and name = ${parameters.add(name, "text")} and value = any (${parameters.add(values, "text[]")}))`;

const isKnownBy = (q: string, blind: boolean | undefined, parameters: Parameters) => {
  const tagged = parameters.add(storedValuesFor(q, blind ?? false), "text[]");
  const names = [hasId(q, parameters), hasKey(q, blind ?? false, parameters), hasTitle(q, parameters)].filter(
    (one) => one !== undefined,
  );
  return `(${[...names, `exists (select from handrail.run_tag where run_id = run.id and value = any (${tagged}))`].join(" or ")})`;
};

export const hasKey = (key: string, blind: boolean, parameters: Parameters): string =>
  `(run.idempotency_key = ${parameters.add(key, "text")}${blind ? ` and ${FAMILY_MASKS_NOTHING}` : ""})`;

const SHORTEST_TITLE = 3;

/**
 * Its title, or the beginning of it, in the order of their index; undefined for a text that is too short. Titles have no masked values:
 * any caller may search them.
 */
export function hasTitle(text: string, parameters: Parameters): string | undefined {
  if (text.length < SHORTEST_TITLE) return undefined;
  const from = `lower(${parameters.add(text, "text")})`;
  return `(lower(run.run_title) ~>=~ ${from} and lower(run.run_title) ~<~ (${from} || chr(1114111)))`;
}

/** Its id, or the beginning of it; undefined for a text that cannot be one. */
export function hasId(text: string, parameters: Parameters): string | undefined {
  const range = idRange(text);
  return range && `run.id between ${parameters.add(range[0], "uuid")} and ${parameters.add(range[1], "uuid")}`;
}

/** Never null: a run that is not at the step must count as elsewhere. */
const isAt = (names: readonly string[], parameters: Parameters) =>
  `coalesce(${names.flatMap((name) => Object.values(standsAt(parameters.add(name, "text")))).join(" or ")}, false)`;

/** Callers who may not see masked values cannot search texts that may contain them. */
const errorHas = (texts: readonly string[], blind: boolean | undefined, parameters: Parameters) => {
  const places = texts.map((text) => parameters.add(text.toLowerCase(), "text"));
  const has = (searched: string) => places.map((text) => `strpos(${searched}, ${text}) > 0`).join(" or ");
  // The error is parsed once, which is most of the cost. One that was stored with NUL or half a surrogate pair cannot be: it is
  // searched as it is.
  const matches = `case when strpos(run.error, '\\u0000') > 0 or strpos(run.error, '\\ud') > 0 then ${has("lower(run.error)")}
        else exists (select from json_to_record(run.error::json) as part (name text, code text, message text)
          cross join lateral (select lower(name || ' ' || coalesce(code, '') || ' ' || message) as error) as searched
          where ${has("searched.error")}) end`;
  // In this order: whether a hidden error matches takes no time.
  return blind
    ? `case when run.error is not null and ${ERROR_HIDES_NOTHING} then ${matches} else false end`
    : `(run.error is not null and ${matches})`;
};

const took = (compares: ">=" | "<", limitMs: number | undefined, parameters: Parameters) =>
  limitMs === undefined
    ? []
    : [
        `coalesce(run.finished_at, clock_timestamp()) - run.started_at ${compares} ${parameters.add(limitMs, "float8")} * interval '1 ms'`,
      ];
