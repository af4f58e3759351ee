"use client";

import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { ExternalLink } from "lucide-react";
import Link from "next/link";
import { memo } from "react";
import { classNames } from "@/lib/class-names";
import type { GraphNode } from "./graph-model";
import { NodeText } from "./graph-node-text";
import { NODE_HEIGHT, NODE_WIDTH } from "./layout";
import { childOf } from "./node-words";

export type DrawnNode = Node<
  { node: GraphNode; selected: boolean; onSelect: (node: GraphNode) => void; onFocus: (id: string) => void },
  "step"
>;

/** One step, or several as one: a button that selects it, and for a child the way to its run. */
export const GraphNodeView = memo(function GraphNodeView({ id, data }: NodeProps<DrawnNode>) {
  const { node, selected, onSelect, onFocus } = data;
  const child = childOf(node);
  return (
    <div className="pointer-events-auto relative" style={{ width: NODE_WIDTH, height: NODE_HEIGHT }}>
      <Handle type="target" position={Position.Top} isConnectable={false} className="invisible" />
      <button
        type="button"
        aria-pressed={node.type === "expected" ? undefined : selected}
        disabled={node.type === "expected"}
        onClick={() => onSelect(node)}
        onFocus={() => onFocus(id)}
        className={classNames(
          "nopan grid size-full content-center gap-0.5 rounded-lg border px-3 text-left",
          child && "pr-10",
          node.type === "expected" ? "border-field border-dashed bg-transparent" : "bg-panel shadow-card",
          node.type !== "expected" &&
            (selected ? "border-accent bg-accent-soft" : "border-line-strong hover:bg-sunken"),
        )}
      >
        <NodeText node={node} />
      </button>
      {child && (
        <Link
          href={`/runs/${child}`}
          prefetch={false}
          aria-label={`Run of ${node.label}`}
          title="Run"
          className="nopan absolute top-4 right-2 grid size-6 place-items-center rounded text-ink-3 hover:bg-gray-soft hover:text-ink"
        >
          <ExternalLink aria-hidden className="size-3.5" />
        </Link>
      )}
      <Handle type="source" position={Position.Bottom} isConnectable={false} className="invisible" />
      <Handle id="undo" type="source" position={Position.Right} isConnectable={false} className="invisible" />
      <Handle id="undone" type="target" position={Position.Right} isConnectable={false} className="invisible" />
    </div>
  );
});
