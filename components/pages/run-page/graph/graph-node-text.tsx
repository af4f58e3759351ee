import { StatusLabel } from "@/components/parts/status/status-label";
import { classNames } from "@/lib/class-names";
import { plural } from "@/lib/format";
import type { GraphNode } from "./graph-model";
import { lookOfNode, tallyOf, undoOf } from "./node-words";

/** A node's status, name, and note in a line. */
export function NodeText({ node }: { node: GraphNode }) {
  const look = lookOfNode(node);
  const undo = undoOf(node);
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <StatusLabel look={look} shapeOnly />
        <span
          title={node.label}
          className={classNames("min-w-0 truncate font-mono text-small", node.type === "expected" && "text-ink-3")}
        >
          {node.label}
        </span>
        {node.steps.length > 1 && <b className="shrink-0 font-medium text-small tabular-nums">×{node.steps.length}</b>}
      </span>
      <span className="flex items-center gap-2 pl-[22px] text-ink-3 text-micro">
        <span aria-hidden={node.steps.length === 1 || undefined} className="min-w-0 flex-1 truncate">
          {factsOf(node).join(" · ")}
        </span>
        {undo && (
          <span className="shrink-0">
            <span className="sr-only">Compensation: </span>
            <StatusLabel look={undo} className="gap-1 font-normal" />
          </span>
        )}
      </span>
    </>
  );
}

function factsOf(node: GraphNode): string[] {
  const [step] = node.steps;
  const words = [tallyOf(node) || lookOfNode(node).word];
  if (!step || node.steps.length > 1) return words;
  words.push(step.kind === "step" ? step.effect : step.kind);
  if (node.type !== "expected" && step.attempt > 1) words.push(plural(step.attempt, "attempt"));
  if (node.type !== "expected" && step.generation > 1) words.push(`generation ${step.generation}`);
  return words;
}
