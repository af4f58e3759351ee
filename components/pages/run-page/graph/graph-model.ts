import type { Step } from "@/lib/api/contract/run";
import { stemOf } from "../lanes/loops";

/** What the graph needs of a step. */
export type GraphedStep = Pick<
  Step,
  | "name"
  | "kind"
  | "effect"
  | "status"
  | "attempt"
  | "generation"
  | "position"
  | "reference"
  | "startedAt"
  | "finishedAt"
  | "supersededBy"
> & {
  compensation: Pick<Step["compensation"], "mode" | "status">;
  attempts: Pick<Step["attempts"][number], "startedAt">[];
};

export interface GraphNode {
  id: string;
  /** `step`: one; `fold`: several that are drawn as one; `expected`: not reached yet. */
  type: "step" | "fold" | "expected";
  label: string;
  /** In the order of their first occurrence; at least one. */
  steps: GraphedStep[];
}

export interface GraphEdge {
  id: string;
  from: string;
  to: string;
  /** `undo`: the order of compensation, against the other edges. */
  type: "time" | "expected" | "undo";
}

export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** From this count on, steps of one stem and kind are drawn as one. */
const FOLD_FROM = 6;
/** Above this count, adjacent done nodes are drawn as one. */
export const MOST_NODES = 160;

interface Span extends GraphNode {
  begins: number;
  ends: number;
}

/**
 * Steps that ran, and those expected next. A line says that one step began after the other had ended: the order in
 * time, which is all that a run's records show. @param expected steps of a run that completed
 */
export function graphOf(steps: readonly GraphedStep[], expected: readonly GraphedStep[] = []): Graph {
  const ran = spansOf(standing(steps), "step");
  const met = new Set(steps.map(({ name }) => name));
  const stems = new Set(steps.map(({ name }) => stemOf(name)));
  const ahead = spansOf(
    standing(expected).filter(({ name }) => !met.has(name) && !stems.has(stemOf(name))),
    "expected",
  );
  const [ends, begins] = [sinksOf(ran), sourcesOf(ahead)];
  const edges = [
    ...edgesInTime(ran, "time"),
    ...ends.flatMap((from) => begins.map((to) => edge(from, to, "expected"))),
    ...edgesInTime(ahead, "expected"),
    ...undoEdges(ran),
  ];
  return { nodes: [...ran, ...ahead].map(({ begins: _, ends: __, ...node }) => node), edges };
}

const standing = (steps: readonly GraphedStep[]) =>
  steps.filter(({ supersededBy }) => supersededBy === null).sort((a, b) => a.position - b.position);

function spansOf(steps: readonly GraphedStep[], type: "step" | "expected"): Span[] {
  const groups = new Map<string, GraphedStep[]>();
  for (const step of steps) {
    const key = `${step.kind} ${stemOf(step.name)}`;
    groups.set(key, [...(groups.get(key) ?? []), step]);
  }
  const seen = new Set<string>();
  const spans = steps.flatMap((step): Span[] => {
    const key = `${step.kind} ${stemOf(step.name)}`;
    const group = groups.get(key) as GraphedStep[];
    if (group.length < FOLD_FROM) return [spanOf([step], step.name, type)];
    if (seen.has(key)) return [];
    seen.add(key);
    return [spanOf(group, stemOf(step.name), type === "step" ? "fold" : type)];
  });
  return spans.length <= MOST_NODES ? spans : foldNeighbours(spans, type);
}

function spanOf(steps: GraphedStep[], label: string, type: GraphNode["type"]): Span {
  const ends = steps.map(({ finishedAt }) => (finishedAt === null ? Number.POSITIVE_INFINITY : Date.parse(finishedAt)));
  const id = `${type === "expected" ? "expected" : "ran"} ${steps[0]?.name}`;
  return { id, type, label, steps, begins: Math.min(...steps.map(beginOf)), ends: Math.max(...ends) };
}

const beginOf = ({ startedAt, attempts }: GraphedStep) =>
  Math.min(Date.parse(startedAt), ...attempts.map((attempt) => Date.parse(attempt.startedAt)));

/** Merges as many adjacent done nodes as needed; a node that is not done stays separate as long as there is room. */
function foldNeighbours(spans: Span[], type: "step" | "expected"): Span[] {
  const isQuiet = ({ type, steps }: Span) => type !== "fold" && steps.every(({ status }) => status === "completed");
  const loud = spans.filter((span) => !isQuiet(span)).length;
  const together = loud < MOST_NODES / 2 ? Math.ceil((spans.length - loud) / (MOST_NODES / 2 - loud / 2)) : 0;
  const size = Math.max(2, together || Math.ceil(spans.length / MOST_NODES));
  const folded: Span[][] = [];
  for (const span of spans) {
    const last = folded.at(-1);
    const joins = together === 0 || (isQuiet(span) && last?.every(isQuiet));
    if (last && joins && last.length < size) last.push(span);
    else folded.push([span]);
  }
  return folded.map((group) => {
    const [first] = group as [Span];
    if (group.length === 1) return first;
    const steps = group.flatMap((span) => span.steps);
    return spanOf(steps, `${first.label} … ${group.at(-1)?.label}`, type === "step" ? "fold" : type);
  });
}

const isBefore = (a: Span, b: Span, placeA: number, placeB: number) => placeA < placeB && a.ends <= b.begins;

/** Of the steps that had ended when a step began, those after which nothing else ran in between. */
function edgesInTime(spans: Span[], type: "time" | "expected"): GraphEdge[] {
  return spans.flatMap((to, place) => {
    const before = spans.map((span, at) => ({ span, at })).filter(({ span, at }) => isBefore(span, to, at, place));
    return before
      .filter(({ span, at }) => !before.some((other) => isBefore(span, other.span, at, other.at)))
      .map(({ span }) => edge(span, to, type));
  });
}

/** Steps that no other began after. */
const sinksOf = (spans: Span[]) =>
  spans.filter((span, place) => !spans.some((other, at) => isBefore(span, other, place, at)));
const sourcesOf = (spans: Span[]) =>
  spans.filter((span, place) => !spans.some((other, at) => isBefore(other, span, at, place)));

/** From the first compensated step to the last. */
function undoEdges(spans: Span[]): GraphEdge[] {
  const undone = spans
    .filter(({ steps }) => steps.some(({ compensation }) => compensation.status !== "none"))
    .reverse();
  return undone.slice(1).map((to, place) => edge(undone[place] as Span, to, "undo"));
}

const edge = (from: Span, to: Span, type: GraphEdge["type"]): GraphEdge => ({
  id: `${type} ${from.id} → ${to.id}`,
  from: from.id,
  to: to.id,
  type,
});
