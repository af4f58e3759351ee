import type * as ES from "estree";
import { ancestorsOf, type FunctionNode, functionAround, isFunction, keyOf, type Node, parentOf } from "./syntax";
import type { Workflows } from "./workflows";

/** Where code of a workflow runs: in a step, or between steps, again on every claim. */
export type Place = "body" | "between";

/** What calls the function that it is given, and when the code around it runs. */
const CALLS_IT = new Set(
  "map forEach filter flatMap reduce reduceRight some every find findIndex findLast findLastIndex sort toSorted from then catch finally replace replaceAll".split(
    " ",
  ),
);

/**
 * Where a node runs; both for what is called from both. Empty outside of workflows, and where it cannot be seen: nothing
 * is reported there.
 */
export class Places {
  private readonly known = new Map<FunctionNode, Set<Place>>();

  constructor(private readonly workflows: Workflows) {}

  of(node: Node): Set<Place> {
    const around = functionAround(node);
    return around ? this.ofFunction(around) : new Set();
  }

  private ofFunction(node: FunctionNode): Set<Place> {
    const known = this.known.get(node);
    if (known) return known;
    const places = new Set<Place>();
    this.known.set(node, places);
    const { handlers, bodies, calls } = this.workflows;
    const lexical = [node, ...ancestorsOf(node)].find(
      (one) => isFunction(one) && (handlers.has(one) || bodies.has(one)),
    );
    if (lexical && bodies.has(lexical as FunctionNode)) return places.add("body");
    if (handlers.has(node)) places.add("between");
    // A step is refused in a body, so that what begins steps runs between them.
    if (calls.some((call) => functionAround(call.node) === node)) places.add("between");
    for (const place of this.usesOf(node).flatMap((use) => [...this.of(use)])) places.add(place);
    return places;
  }

  /** The calls that run a function at once. */
  private usesOf(node: FunctionNode): Node[] {
    const direct = runsIt(node) ? [node] : [];
    const name = nameOf(node);
    if (!name) return direct;
    const { names, nodes } = this.workflows;
    const isUse = (one: Node) =>
      one.type === "Identifier" && one !== name && runsIt(one) && names.functionOf(one) === node;
    return [...direct, ...nodes.filter(isUse)];
  }
}

function nameOf(node: FunctionNode): Node | null | undefined {
  if (node.type === "FunctionDeclaration") return node.id;
  const parent = parentOf(node);
  return parent?.type === "VariableDeclarator" ? parent.id : undefined;
}

/** Whether the code around a function, or its name, runs it: calls it, or hands it to what does. */
function runsIt(node: Node): boolean {
  const call = parentOf(node);
  if (call?.type === "NewExpression") return call.callee.type === "Identifier" && call.callee.name === "Promise";
  if (call?.type !== "CallExpression") return false;
  return call.callee === node || callsWhatItIsGiven(call);
}

const callsWhatItIsGiven = ({ callee }: ES.CallExpression) =>
  callee.type === "MemberExpression" && CALLS_IT.has(keyOf(callee) ?? "");
