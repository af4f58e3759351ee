import { tagValuesFor } from "../../engine/masked-tags";
import { OWN_WORKFLOWS } from "../../engine/own-workflows";
import type { Attention, RunStatus } from "../../engine/run";

export interface RunFilter {
  status?: RunStatus[] | undefined;
  workflow?: string[] | undefined;
  attention?: Attention[] | undefined;
  /** A run's id or at least eight characters of its beginning, an idempotency key, or the value of a tag. */
  q?: string | undefined;
  tags?: Record<string, string> | undefined;
  /** Only the runs that this one has started. */
  parentRunId?: string | undefined;
  /** Only those that this problem holds now. */
  problem?: string | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
  /** For somebody who may not look at masked values: no answer tells them whether there is such a one. */
  blind?: boolean | undefined;
}

/** Collects a statement's values while its text is put together. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Returns the placeholder of the value. */
  add(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }
}

/** One indexed way to candidates. A run is in the answer when it is found on any way and meets the conditions. */
interface Source {
  from: string;
  conditions: string[];
}

/** The condition by which each status is found through an index, in the words of the index's own predicate. */
const BY_STATUS = {
  pending: [
    "run.status = 'pending' and run.due_at is null and run.queue_key is null",
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

/** Ids carry the clock of the process that started the run, `created_at` the database's; more apart than this they are not. */
const CLOCK_SLACK_MS = 600_000;

/**
 * The sub-selects of ids that a filter stands for: each follows one index in the order of ids and stops at its limit, so
 * that together they cost the same on ten runs and on ten million.
 */
export function idLanes(filter: RunFilter, parameters: Parameters, page: { before?: string | null; limit: number }) {
  const limit = parameters.add(page.limit, "int");
  const window = idWindow(filter, parameters, page.before ?? null);
  const sources = sourcesOf(filter, parameters);
  const direct =
    !filter.q && !filter.problem && filter.parentRunId === undefined && Object.keys(filter.tags ?? {}).length === 0;
  const { split, rest } = conditionsOf(filter, parameters, direct);
  return sources.flatMap((source) =>
    split.map((lane) => {
      const conditions = [...source.conditions, ...lane, ...rest, ...window];
      const where = conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
      return `(select run.id from ${source.from} ${where} order by run.id desc limit ${limit})`;
    }),
  );
}

function sourcesOf({ q, tags, parentRunId, problem, blind = false }: RunFilter, parameters: Parameters): Source[] {
  if (parentRunId !== undefined)
    return [{ from: "handrail.run", conditions: [`run.parent_run_id = ${parameters.add(parentRunId, "uuid")}`] }];
  if (q) {
    const value = parameters.add(q, "text");
    const byKey = {
      from: "handrail.run",
      conditions: [`run.idempotency_key = ${value}`, ...(blind ? [MASKS_NOTHING] : [])],
    };
    const byTags = tagValuesFor(q, blind).map((tag) => ({
      from: BY_TAG,
      conditions: [`tag.value = ${parameters.add(tag, "text")}`],
    }));
    const range = idRange(q);
    if (!range) return [byKey, ...byTags];
    const ids = `run.id between ${parameters.add(range[0], "uuid")} and ${parameters.add(range[1], "uuid")}`;
    return [{ from: "handrail.run", conditions: [ids] }, byKey, ...byTags];
  }
  if (problem !== undefined)
    return [
      {
        from: "handrail.problem_run as held join handrail.run on run.id = held.run_id",
        conditions: heldBy(problem, parameters),
      },
    ];
  const [first] = Object.entries(tags ?? {});
  if (!first) return [{ from: "handrail.run", conditions: [] }];
  const name = parameters.add(first[0], "text");
  return tagValuesFor(first[1], blind).map((tag) => ({
    from: BY_TAG,
    conditions: [`tag.name = ${name}`, `tag.value = ${parameters.add(tag, "text")}`],
  }));
}

const BY_TAG = "handrail.run_tag tag join handrail.run on run.id = tag.run_id";

/** A key may be made of what its workflow masks. */
const MASKS_NOTHING = `not exists (select from handrail.workflow as masking
        where masking.name = run.workflow and cardinality(masking.masked) > 0)`;

/** What a problem is still said to hold, but is well by now, is left out: its end of it is about to be told. */
const heldBy = (problem: string, parameters: Parameters): string[] => [
  `held.problem_id = ${parameters.add(problem, "uuid")}`,
  "held.left_at is null",
  "run.attention in ('failed', 'outcome_unknown', 'compensation_owed')",
];

/** Where something narrower leads to the candidates. */
const isHeldBy = (problem: string, parameters: Parameters) =>
  `exists (select from handrail.problem_run as held where held.run_id = run.id and ${heldBy(problem, parameters).join(" and ")})`;

/** `split` makes one lane each, where nothing narrower leads to the candidates; `rest` holds in every lane. */
function conditionsOf(filter: RunFilter, parameters: Parameters, direct: boolean) {
  const dimensions = [
    unique(filter.status)?.flatMap((status) => BY_STATUS[status]),
    unique(filter.attention)?.map((attention) => `run.attention = ${parameters.add(attention, "text")}`),
    unique(filter.workflow)?.map((workflow) => `run.workflow = ${parameters.add(workflow, "text")}`),
  ].filter((alternatives) => alternatives !== undefined && alternatives.length > 0) as string[][];
  const tags = Object.entries(filter.tags ?? {}).map(([name, value]) =>
    hasTag(name, tagValuesFor(value, filter.blind ?? false), parameters),
  );
  const split = direct ? dimensions.shift()?.map((condition) => [condition]) : undefined;
  const rest = dimensions.map((alternatives) => `(${alternatives.map((one) => `(${one})`).join(" or ")})`);
  const { problem, q, parentRunId } = filter;
  const held = problem && (q || parentRunId !== undefined) ? [isHeldBy(problem, parameters)] : [];
  return { split: split ?? [[]], rest: [...rest, ...tags, ...held, ...withoutOurOwn(filter)] };
}

/** Runs of our own are found by their workflow's name, an id or a business key, and are not mixed with the app's otherwise. */
const withoutOurOwn = ({ workflow = [], q, parentRunId, problem, tags = {} }: RunFilter) =>
  workflow.length > 0 || q || problem || parentRunId !== undefined || Object.keys(tags).length > 0
    ? []
    : OWN_WORKFLOWS.map((name) => `run.workflow <> '${name}'`);

const unique = <Value>(values: readonly Value[] | undefined) => values && [...new Set(values)];

const hasTag = (name: string, values: readonly string[], parameters: Parameters) =>
  `exists (select from handrail.run_tag where run_id = run.id and name = ${parameters.add(name, "text")} and value = any (${parameters.add(values, "text[]")}))`;

function idWindow({ createdAfter, createdBefore }: RunFilter, parameters: Parameters, before: string | null): string[] {
  const conditions: string[] = [];
  if (before !== null) conditions.push(`run.id < ${parameters.add(before, "uuid")}`);
  if (createdAfter !== undefined) {
    const from = idAt(Date.parse(createdAfter) - CLOCK_SLACK_MS, "0");
    conditions.push(`run.id >= ${parameters.add(from, "uuid")}`);
    conditions.push(`run.created_at >= ${parameters.add(createdAfter, "timestamptz")}`);
  }
  if (createdBefore !== undefined) {
    const to = idAt(Date.parse(createdBefore) + CLOCK_SLACK_MS, "f");
    conditions.push(`run.id <= ${parameters.add(to, "uuid")}`);
    conditions.push(`run.created_at < ${parameters.add(createdBefore, "timestamptz")}`);
  }
  return conditions;
}

/** The first or last UUIDv7 of a millisecond. */
function idAt(ms: number, fill: "0" | "f"): string {
  const hex = Math.min(Math.max(ms, 0), 0xffff_ffff_ffff).toString(16).padStart(12, "0");
  return asUuid(hex.padEnd(32, fill));
}

/** The ids that begin with `text`; undefined when it cannot be the beginning of one. */
export function idRange(text: string): [string, string] | undefined {
  const hex = text.toLowerCase().replaceAll("-", "");
  if (!/^[0-9a-f]{8,32}$/.test(hex)) return undefined;
  return [asUuid(hex.padEnd(32, "0")), asUuid(hex.padEnd(32, "f"))];
}

const asUuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
