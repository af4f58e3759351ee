import { classNames } from "@/lib/class-names";
import type { Graph, GraphNode } from "./graph-model";
import { NodeText } from "./graph-node-text";
import { lookOfNode } from "./node-words";

interface GraphListProps {
  graph: Graph;
  selected: string | null;
  onSelect: (node: GraphNode) => void;
}

/** The graph as text: every node, and its predecessors. */
export function GraphList({ graph, selected, onSelect }: GraphListProps) {
  const labels = new Map(graph.nodes.map(({ id, label }) => [id, label]));
  return (
    <ol aria-label="Steps, and what each one follows" className="px-4 py-2 md:px-6">
      {graph.nodes.map((node) => (
        <li key={node.id} className="border-line border-t py-1.5 first:border-t-0">
          <button
            type="button"
            disabled={node.type === "expected"}
            aria-pressed={node.type === "expected" ? undefined : node.steps.some(({ name }) => name === selected)}
            onClick={() => onSelect(node)}
            className={classNames(
              "grid w-full min-h-11 content-center gap-0.5 rounded-md px-2 py-1 text-left md:min-h-9",
              node.type === "expected" ? "text-ink-3" : "hover:bg-sunken aria-pressed:bg-accent-soft",
            )}
          >
            <NodeText node={node} />
          </button>
          <p className="px-2 pl-[30px] text-ink-3 text-small">{afterWords(graph, node, labels)}</p>
        </li>
      ))}
    </ol>
  );
}

const NAMED = 4;

function afterWords({ edges }: Graph, node: GraphNode, labels: Map<string, string>): string {
  const before = edges.filter(({ to, type }) => to === node.id && type !== "undo").map(({ from }) => labels.get(from));
  const rest = before.length - NAMED;
  const names = before.slice(0, NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  if (before.length === 0) return node.type === "expected" ? lookOfNode(node).word : "First";
  return `After ${names}`;
}
