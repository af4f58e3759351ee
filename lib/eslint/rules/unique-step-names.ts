import { rule } from "../rule";
import { ancestorsOf, bare, isFunction, keyOf, liesIn, type Node, parentOf } from "../syntax";
import type { Workflows } from "../workflows";

/** A step in a loop whose name is the same each time: the second one is refused with `duplicate_step`. */
export const uniqueStepNames = rule(
  "unique-step-names",
  "A step in a loop has a name of its item",
  function* (workflows) {
    for (const { node, name } of workflows.calls) {
      const loop = name && loopAround(node);
      if (loop && !mayDiffer(name, loop, workflows))
        yield {
          node: name,
          message: `The steps of this loop have one name, and a run has each name once. Make it from the item, such as \`${example(name)}:\${item.id}\` in backticks.`,
        };
    }
  },
);

const example = (name: Node) => (name.type === "Literal" && typeof name.value === "string" ? name.value : "charge");

const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);
const ITERATES = new Set(["map", "forEach", "flatMap", "filter", "reduce", "from"]);

/** The loop, or the function that is called for each item, whose every round comes by here. */
function loopAround(node: Node): Node | undefined {
  let below = node;
  let isLeft = false;
  for (const above of ancestorsOf(node)) {
    if (LOOPS.has(above.type)) return isOfEachRound(above, below) && !isLeft ? above : undefined;
    // A return of such a function is the end of one item, not of the loop.
    if (isFunction(above)) return isForEachItem(above) ? above : undefined;
    isLeft ||= endsTheLoop(above, below);
    below = above;
  }
  return undefined;
}

/** Not what a loop begins with: `for (const item of await ctx.step(…))`. */
function isOfEachRound(loop: Node, below: Node): boolean {
  const { body, test, update } = loop as { body?: Node; test?: Node; update?: Node };
  return [body, test, update].includes(below);
}

function isForEachItem(node: Node): boolean {
  const call = parentOf(node);
  return (
    call?.type === "CallExpression" &&
    call.callee.type === "MemberExpression" &&
    call.callee !== node &&
    ITERATES.has(keyOf(call.callee) ?? "")
  );
}

const LEAVES = new Set(["ReturnStatement", "ThrowStatement", "BreakStatement"]);

/** Whether the loop is left after this, so that there is no second time. What throws may be caught, and go round again. */
function endsTheLoop(block: Node, below: Node): boolean {
  if (below.type === "ReturnStatement" || below.type === "ThrowStatement") return true;
  if (block.type === "SwitchCase")
    return block.consequent
      .slice(block.consequent.indexOf(below as never))
      .some(({ type }) => type === "ReturnStatement");
  if (block.type !== "BlockStatement") return false;
  return block.body.slice(block.body.indexOf(below as never) + 1).some(({ type }) => LEAVES.has(type));
}

/** Whether a name may be another one in the next round. What cannot be seen may. */
function mayDiffer(given: Node, loop: Node, workflows: Workflows): boolean {
  const node = bare(given);
  switch (node.type) {
    case "Literal":
      return false;
    case "TemplateLiteral":
      return node.expressions.some((one) => mayDiffer(one, loop, workflows));
    case "BinaryExpression":
      return mayDiffer(node.left, loop, workflows) || mayDiffer(node.right, loop, workflows);
    case "Identifier": {
      const variable = workflows.names.variableOf(node);
      if (!variable) return true;
      return (
        variable.defs.some(({ node, name }) => liesIn(name, [loop]) || liesIn(node, [loop])) ||
        variable.references.some((one) => one.isWrite() && (one.init !== true || liesIn(one.identifier, [loop])))
      );
    }
    default:
      return true;
  }
}
