import type { RunFilter } from "../api/contract/requests";
import { readDuration } from "../engine/duration";
import { RUN_STATUSES, type RunStatus } from "../engine/runs/run";
import { readQuestion } from "../engine/runs/run-question";
import { readLeftOut, readTerm, type Term } from "./language";

/** The parts of an address, or of a filter as it was typed, that select runs. */
export interface RunUrlFilter extends Required<Pick<RunFilter, "q" | "status" | "attention" | "workflow">> {
  step?: string[];
  error?: string[];
  version?: string[];
  tag?: string[];
  since?: string | null;
  until?: string | null;
  took?: string[];
  /** What the run did: lib/engine/runs/run-question.ts. */
  where?: string[];
  not?: string[];
  problem?: string | null;
}

/** As the API takes it: what is empty is left out, so that equal filters are one query. What an address has wrong is left out, too. */
export function toRunFilter(url: RunUrlFilter): RunFilter {
  const { q, status, attention, workflow, step = [], error = [], version = [], problem } = url;
  const out = termsLeftOut(url.not ?? []);
  const left = (field: Term["field"]) => out.filter((term) => term.field === field).map(({ value }) => value);
  const tags = tagsOf(url.tag ?? []);
  const createdAfter = timeIn("since", url.since);
  const createdBefore = timeIn("until", url.until);
  return given({
    q: q.trim(),
    status: without(status, left("status")),
    attention,
    workflow,
    step,
    error,
    version: version.map(Number).filter(Number.isSafeInteger),
    tags: Object.keys(tags).length > 0 ? tags : undefined,
    createdAfter,
    createdBefore,
    ...tookOf(url.took ?? []),
    where: (url.where ?? []).filter(isQuestion),
    notWorkflow: left("workflow"),
    notStep: left("step"),
    notError: left("error"),
    notVersion: left("version").map(Number),
    problem: problem ?? undefined,
  });
}

/** Without what is empty. */
const given = (filter: RunFilter): RunFilter =>
  Object.fromEntries(
    Object.entries(filter).filter(
      ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** There are so few that leaving some out is asking for the others. */
function without(status: readonly RunStatus[], left: readonly string[]): RunStatus[] {
  if (left.length === 0) return [...status];
  return (status.length > 0 ? status : RUN_STATUSES).filter((one) => !left.includes(one));
}

const isQuestion = (text: string): boolean => {
  const read = readQuestion(text);
  return read !== null && !("says" in read);
};

const isTerm = (read: ReturnType<typeof readTerm>): read is Term => read !== null && "field" in read;

const termsLeftOut = (not: readonly string[]): Term[] => not.map(readLeftOut).filter(isTerm);

function tagsOf(written: readonly string[]): Record<string, string[]> {
  const tags = new Map<string, string[]>();
  for (const one of written) {
    const [, name, value] = /^([^:]+):(.+)$/s.exec(one) ?? [];
    if (name !== undefined && value !== undefined) tags.set(name, [...(tags.get(name) ?? []), value]);
  }
  return Object.fromEntries(tags);
}

function timeIn(field: "since" | "until", written: string | null | undefined): string | undefined {
  const term = written ? readTerm(`${field}:${written}`) : null;
  return isTerm(term) ? term.value : undefined;
}

function tookOf(written: readonly string[]): Pick<RunFilter, "tookOverMs" | "tookUnderMs"> {
  const bounds = (sign: string) =>
    written
      .filter((one) => one.startsWith(sign))
      .map((one) => readDuration(one.slice(1)) ?? Number.NaN)
      .filter(Number.isFinite);
  const [over, under] = [bounds(">"), bounds("<")];
  return {
    ...(over.length > 0 && { tookOverMs: Math.max(...over) }),
    ...(under.length > 0 && { tookUnderMs: Math.min(...under) }),
  };
}
