import type * as ES from "estree";
import { type Finding, rule } from "../rule";
import { type FunctionNode, functionAround, isFunction, type Node } from "../syntax";
import type { Workflows } from "../workflows";

/** What keeps its type in the database, or is awaited. */
const KEPT = new Set("Array Date Error Map Object Promise Set URL Uint8Array Buffer String Number Boolean".split(" "));
const isKept = (name: string) => KEPT.has(name) || name.endsWith("Error");

/** An output that comes back from the database as something else, or cannot be kept: a class instance, a function, a symbol. */
export const plainOutputs = rule("plain-outputs", "Steps and workflows return plain values", function* (workflows) {
  const { calls, handlers } = workflows;
  const bodies = calls.flatMap(({ body }) => body ?? []);
  for (const code of new Set([...bodies, ...handlers]))
    for (const returned of returnedBy(code, workflows.nodes)) yield* found(returned, workflows);
});

function returnedBy(code: FunctionNode, nodes: readonly Node[]): Node[] {
  if (code.body.type !== "BlockStatement") return [code.body];
  return nodes.flatMap((node) =>
    node.type === "ReturnStatement" && functionAround(node) === code ? (node.argument ?? []) : [],
  );
}

function* found(output: Node, workflows: Workflows): Generator<Finding> {
  const node = workflows.names.valueOf(output);
  // Where it is returned, if a name stands for it.
  const at = output;
  if (isFunction(node) || node.type === "ClassExpression")
    yield { node: at, message: "A function cannot be kept as an output. Return plain values." };
  else if (node.type === "NewExpression") yield* ofInstance(node, at);
  else if (node.type === "CallExpression" && workflows.names.globalName(node.callee) === "Symbol")
    yield { node: at, message: "A symbol cannot be kept as an output. Return plain values." };
  else if (node.type === "AwaitExpression") yield* found(node.argument, workflows);
  else if (node.type === "ConditionalExpression") {
    yield* found(node.consequent, workflows);
    yield* found(node.alternate, workflows);
  } else if (node.type === "ArrayExpression") {
    for (const one of node.elements) if (one && one.type !== "SpreadElement") yield* found(one, workflows);
  } else if (node.type === "ObjectExpression" && node === output) {
    for (const one of node.properties) if (one.type === "Property") yield* found(one.value, workflows);
  }
}

function* ofInstance(node: ES.NewExpression, at: Node): Generator<Finding> {
  const name = node.callee.type === "Identifier" ? node.callee.name : undefined;
  if (name === undefined || isKept(name)) return;
  yield {
    node: at,
    message: `An instance of ${name} does not come back from the database as one: its methods are gone. Return what is in it.`,
  };
}
