"use client";

import "@xyflow/react/dist/base.css";
import { type Edge, MarkerType, ReactFlow, ReactFlowProvider, useReactFlow } from "@xyflow/react";
import { useCallback, useMemo, useRef } from "react";
import { plural } from "@/lib/format";
import { GraphControls } from "./graph-controls";
import type { Graph, GraphEdge, GraphNode } from "./graph-model";
import { type DrawnNode, GraphNodeView } from "./graph-node";
import { NODE_HEIGHT, NODE_WIDTH, placesOf } from "./layout";
import { foremost } from "./node-words";

interface GraphCanvasProps {
  graph: Graph;
  selected: string | null;
  onSelect: (node: GraphNode) => void;
}

const NODE_TYPES = { step: GraphNodeView };
/** Below this zoom, names are unreadable: pan to what does not fit. */
const LEAST_READABLE = 0.6;
const MARGIN = 24;

const LOOKS = {
  time: { stroke: "var(--field)" },
  expected: { stroke: "var(--field)", strokeDasharray: "4 4" },
  undo: { stroke: "var(--amber)", strokeDasharray: "2 4" },
} as const satisfies Record<GraphEdge["type"], object>;

export default function GraphCanvas(props: GraphCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ graph, selected, onSelect }: GraphCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const flow = useReactFlow<DrawnNode>();
  const places = usePlaces(graph);
  const goTo = useCallback(
    (id: string) => {
      const box = frame.current?.getBoundingClientRect();
      const place = places.get(id);
      if (!box || !place || isInSight(flow, place, box)) return;
      void flow.setCenter(place.x + NODE_WIDTH / 2, place.y + NODE_HEIGHT / 2, { zoom: flow.getZoom() });
    },
    [flow, places],
  );
  const nodes = graph.nodes.map(
    (node): DrawnNode => ({
      id: node.id,
      type: "step",
      position: places.get(node.id) ?? { x: 0, y: 0 },
      width: NODE_WIDTH,
      height: NODE_HEIGHT,
      data: { node, selected: node.steps.some(({ name }) => name === selected), onSelect, onFocus: goTo },
    }),
  );
  const begin = () => {
    const box = frame.current?.getBoundingClientRect();
    const bounds = flow.getNodesBounds(nodes);
    const fits = box && Math.min(box.width / (bounds.width + MARGIN), box.height / (bounds.height + MARGIN));
    if (fits && fits >= LEAST_READABLE) return void flow.fitView({ maxZoom: 1, padding: 0.06 });
    const first = firstToSee(graph, selected);
    const place = first && places.get(first);
    if (place) void flow.setCenter(place.x + NODE_WIDTH / 2, place.y + NODE_HEIGHT / 2, { zoom: 0.85 });
  };
  return (
    <div ref={frame} className="relative size-full">
      <ReactFlow<DrawnNode>
        aria-label={`Graph of ${plural(graph.nodes.length, "node")}`}
        nodes={nodes}
        edges={graph.edges.map(drawnEdge)}
        nodeTypes={NODE_TYPES}
        onInit={begin}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        minZoom={0.15}
        maxZoom={1.5}
        proOptions={{ hideAttribution: true }}
      >
        <GraphControls />
      </ReactFlow>
    </div>
  );
}

/** The layout depends on nodes and edges only, so that nothing moves when statuses change. */
function usePlaces(graph: Graph) {
  const shape = [...graph.nodes.map(({ id }) => id), ...graph.edges.map(({ id }) => id)].join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` is all that the layout looks at
  return useMemo(() => placesOf(graph), [shape]);
}

const drawnEdge = ({ id, from, to, type }: GraphEdge): Edge => ({
  id,
  source: from,
  target: to,
  type: "smoothstep",
  style: { ...LOOKS[type], strokeWidth: 1.4 },
  markerEnd: { type: MarkerType.ArrowClosed, color: LOOKS[type].stroke, width: 14, height: 14 },
  // Beside the steps, and against the way they went.
  ...(type === "undo" && { sourceHandle: "undo", targetHandle: "undone" }),
  domAttributes: { "aria-hidden": true },
});

function firstToSee(graph: Graph, selected: string | null): string | undefined {
  const has = (name: string | null) => graph.nodes.find(({ steps }) => steps.some((step) => step.name === name));
  const ran = graph.nodes.filter(({ type }) => type !== "expected");
  const troubled = ran.find((node) => foremost(node).status !== "completed" && foremost(node).status !== "skipped");
  return (has(selected) ?? troubled ?? ran[0])?.id;
}

function isInSight(flow: ReturnType<typeof useReactFlow<DrawnNode>>, { x, y }: { x: number; y: number }, box: DOMRect) {
  const from = flow.flowToScreenPosition({ x, y });
  const to = flow.flowToScreenPosition({ x: x + NODE_WIDTH, y: y + NODE_HEIGHT });
  return from.x >= box.left && from.y >= box.top && to.x <= box.right && to.y <= box.bottom;
}
