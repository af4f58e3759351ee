import type * as ES from "estree";
import { type Finding, rule } from "../rule";
import { type FunctionNode, functionAround, isFunction, isWrapper, keyOf, type Node, parentOf } from "../syntax";
import type { Workflows } from "../workflows";

/** A step that nothing waits for: the run goes on without it, and fails with `not_awaited` at its end. */
export const awaitSteps = rule(
  "await-steps",
  "A step is awaited, returned or handed to Promise.all",
  function* (workflows) {
    const { calls, names } = workflows;
    for (const { node, method } of calls) {
      const lost = lostAt(node, workflows);
      if (lost) yield { node: lost.node ?? node, message: sentenceOf(`ctx.${method}(…)`, lost) };
    }
    // A function with steps in it is as good as its steps: its promise has to be awaited as well.
    const withSteps = new Set(calls.map(({ node }) => functionAround(node)));
    for (const node of workflows.nodes) {
      if (node.type !== "CallExpression" || node.callee.type !== "Identifier") continue;
      const called = names.functionOf(node.callee);
      if (!called?.async || !withSteps.has(called)) continue;
      const lost = lostAt(node, workflows);
      if (lost)
        yield { node: lost.node ?? node, message: sentenceOf(`${node.callee.name}(…), which has steps,`, lost) };
    }
    yield* forgottenByForEach(workflows, withSteps);
  },
);

interface Lost {
  /** Where to say it, if elsewhere. */
  node?: Node;
  /** What happens to the promise instead. */
  how?: string;
}

const sentenceOf = (what: string, { how }: Lost) =>
  `${what} is not awaited${how ? ` (${how})` : ""}: await it, return it, or hand it to Promise.all.`;

function* forgottenByForEach(
  { nodes, names }: Workflows,
  withSteps: ReadonlySet<FunctionNode | undefined>,
): Generator<Finding> {
  for (const node of nodes) {
    if (node.type !== "CallExpression" || !isForEach(node)) continue;
    const each = names.functionOf(node.arguments[0]);
    if (each?.async && withSteps.has(each))
      yield {
        node,
        message:
          "forEach waits for nothing: the steps in it are not awaited. Write `await Promise.all(items.map(async …))`, or a `for` loop to go one by one.",
      };
  }
}

const isForEach = ({ callee }: ES.CallExpression) => callee.type === "MemberExpression" && keyOf(callee) === "forEach";
const SUBSCRIBES = new Set(["then", "catch", "finally"]);
const TOGETHER = new Set(["all", "allSettled", "race", "any"]);
/** Give the array of what their function returns. */
const COLLECTS = new Set(["map", "flatMap", "from"]);

/** Follows a promise, or an array of promises, to where it ends. Undefined: something may wait for it. */
function lostAt(node: Node, workflows: Workflows): Lost | undefined {
  const parent = parentOf(node);
  if (!parent) return undefined;
  if (isWrapper(parent)) return lostAt(parent, workflows);
  switch (parent.type) {
    case "ExpressionStatement":
      return {};
    case "UnaryExpression":
      return {};
    case "TemplateLiteral":
    case "BinaryExpression":
      return parent.type === "BinaryExpression" && parent.operator === "instanceof"
        ? undefined
        : { how: "this is its promise, not its output" };
    case "IfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return parent.test === node ? { how: "its promise is always true" } : undefined;
    case "ConditionalExpression":
      return parent.test === node ? { how: "its promise is always true" } : lostAt(parent, workflows);
    case "LogicalExpression":
      return parent.right === node ? lostAt(parent, workflows) : undefined;
    case "SequenceExpression":
      return parent.expressions.at(-1) === node ? lostAt(parent, workflows) : {};
    case "ArrayExpression":
      return lostAt(parent, workflows);
    case "VariableDeclarator":
      return lostIn(parent, node, workflows);
    case "ReturnStatement":
    case "ArrowFunctionExpression":
      return lostByCaller(parent, workflows);
    case "CallExpression":
      return isTogether(parent, workflows) ? lostAt(parent, workflows) : undefined;
    default:
      return undefined;
  }
}

const isTogether = ({ callee }: ES.CallExpression, { names }: Workflows) =>
  callee.type === "MemberExpression" &&
  names.globalName(callee.object) === "Promise" &&
  TOGETHER.has(keyOf(callee) ?? "");

const collects = ({ callee }: ES.CallExpression) =>
  callee.type === "MemberExpression" && COLLECTS.has(keyOf(callee) ?? "");

/** A promise in a variable must be used, and not as if it were the output. An array of promises has its own methods. */
function lostIn({ id }: ES.VariableDeclarator, node: Node, { names, nodes }: Workflows): Lost | undefined {
  const isOnePromise = node.type === "CallExpression" && !collects(node);
  if (id.type === "ObjectPattern") return isOnePromise ? { how: "its promise has none of these" } : undefined;
  if (id.type !== "Identifier") return undefined;
  const uses = nodes.filter(
    (one) => one.type === "Identifier" && one !== id && one.name === id.name && isNameOf(one, id, names),
  );
  if (uses.length === 0) return { how: `nothing uses \`${id.name}\`` };
  return isOnePromise && uses.every(readsOutput) ? { how: `\`${id.name}\` is its promise, not its output` } : undefined;
}

const isNameOf = (use: Node, id: Node, names: Workflows["names"]) =>
  names.variableOf(use)?.defs.some(({ name }) => name === id) ?? false;

function readsOutput(use: Node): boolean {
  const parent = parentOf(use);
  return parent?.type === "MemberExpression" && parent.object === use && !SUBSCRIBES.has(keyOf(parent) ?? "then");
}

/** Returned by a function that is handed to another: `items.map((item) => ctx.step(…))`. */
function lostByCaller(place: Node, workflows: Workflows): Lost | undefined {
  const returning = isFunction(place) ? place : functionAround(place);
  const call = returning && parentOf(returning);
  if (call?.type !== "CallExpression" || call.callee.type !== "MemberExpression" || call.callee === (returning as Node))
    return undefined;
  if (isForEach(call)) return { node: call, how: "forEach waits for nothing" };
  return collects(call) ? lostAt(call, workflows) : undefined;
}
