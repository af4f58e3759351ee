import { graphlib, layout } from "@dagrejs/dagre";
import type { Graph } from "./graph-model";

export const NODE_WIDTH = 232;
export const NODE_HEIGHT = 58;

interface Placed {
  x: number;
  y: number;
}

/** From top to bottom, in the order of time; compensations run against it and do not affect the layout. */
export function placesOf({ nodes, edges }: Graph): Map<string, Placed> {
  const drawing = new graphlib.Graph();
  drawing.setGraph({ rankdir: "TB", nodesep: 28, ranksep: 44, marginx: 16, marginy: 16 });
  drawing.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) drawing.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { from, to, type } of edges) if (type !== "undo") drawing.setEdge(from, to);
  layout(drawing);
  return new Map(
    nodes.map(({ id }) => {
      const { x, y } = drawing.node(id) as Placed;
      return [id, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }];
    }),
  );
}
