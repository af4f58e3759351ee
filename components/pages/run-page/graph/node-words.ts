import { lookOfCompensation, lookOfStep } from "@/components/domain/run/step-looks";
import type { Look } from "@/components/parts/status/look";
import { plural } from "@/lib/format";
import type { GraphedStep, GraphNode } from "./graph-model";

const EXPECTED: Look = { shape: "dashes", word: "Not reached", tone: "quiet" };

/** What needs attention first, what is done last. */
const WORST = ["unknown", "failed", "waiting", "running", "skipped", "completed"] as const;

/** The most important step of a node. */
export function foremost({ steps }: GraphNode): GraphedStep {
  const rank = ({ status }: GraphedStep) => WORST.indexOf(status);
  return steps.reduce((worst, step) => (rank(step) < rank(worst) ? step : worst));
}

export const lookOfNode = (node: GraphNode): Look => (node.type === "expected" ? EXPECTED : lookOfStep(foremost(node)));

/** Statuses in a folded node: "138 completed, 2 failed"; empty for a single step. */
export function tallyOf(node: GraphNode): string {
  if (node.steps.length === 1) return "";
  if (node.type === "expected") return plural(node.steps.length, "step");
  const counts = new Map<string, number>();
  for (const step of node.steps) {
    const word = lookOfStep(step).word.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
}

/** The status of the step's compensation, if one is owed or done. */
export function undoOf(node: GraphNode): Look | null {
  const undone = node.steps.find(({ compensation }) => compensation.status !== "none");
  return undone ? lookOfCompensation(undone.compensation) : null;
}

/** The run that a child step has started. */
export const childOf = (node: GraphNode): string | null =>
  node.type === "step" && node.steps[0]?.kind === "child" ? node.steps[0].reference : null;
