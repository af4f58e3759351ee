import type * as ES from "estree";

/*
 * What the rules use of ESLint, whose types are no part of the package's: an app without ESLint compiles without them.
 * Nodes of TypeScript's syntax are compared by their names.
 */

export type Node = ES.Node;
export type FunctionNode = ES.FunctionDeclaration | ES.FunctionExpression | ES.ArrowFunctionExpression;

export interface Reference {
  identifier: Node;
  resolved: Variable | null;
  init?: boolean;
  isRead(): boolean;
  isWrite(): boolean;
}

export interface Variable {
  name: string;
  defs: { type: string; node: Node; name: Node; parent?: Node | null }[];
  references: Reference[];
}

export interface SourceCode {
  ast: ES.Program;
  visitorKeys: Record<string, string[]>;
  scopeManager: {
    scopes: { references: Reference[]; variables: Variable[] }[];
    getDeclaredVariables(node: Node): Variable[];
  } | null;
  getText(node: Node): string;
}

export const parentOf = (node: Node): Node | null => (node as { parent?: Node | null }).parent ?? null;
export const isFunction = (node: Node | null | undefined): node is FunctionNode =>
  node?.type === "FunctionDeclaration" ||
  node?.type === "FunctionExpression" ||
  node?.type === "ArrowFunctionExpression";

export function* ancestorsOf(node: Node): Generator<Node> {
  for (let above = parentOf(node); above; above = parentOf(above)) yield above;
}

/** The function that a node is in. */
export function functionAround(node: Node): FunctionNode | undefined {
  for (const above of ancestorsOf(node)) if (isFunction(above)) return above;
  return undefined;
}

const isInside = (node: Node, outer: Node) => [node, ...ancestorsOf(node)].includes(outer);
export const liesIn = (node: Node, outers: readonly (Node | null | undefined)[]) =>
  outers.some((outer) => outer && isInside(node, outer));

const WRAPPERS = new Set([
  "ChainExpression",
  "TSAsExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);
export const isWrapper = (node: Node) => WRAPPERS.has(node.type);

/** Without what only types or marks it: `(x as T)!` is `x`. */
export function bare(node: Node): Node {
  return isWrapper(node) ? bare((node as unknown as { expression: Node }).expression) : node;
}

/** The name of a property that is written out: `a.b`, `a["b"]`, `{ b: 1 }`. */
export function keyOf(node: ES.MemberExpression | ES.Property): string | undefined {
  const key = node.type === "Property" ? node.key : node.property;
  if (key.type === "Identifier") return node.computed ? undefined : key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : undefined;
}

/** The value of a property of an object that is written out. */
export function propertyOf(object: ES.ObjectExpression, name: string): Node | undefined {
  const found = object.properties.find((one) => one.type === "Property" && keyOf(one) === name);
  return found?.type === "Property" ? found.value : undefined;
}

/** All nodes of a file. */
export function nodesOf({ ast, visitorKeys }: SourceCode): Node[] {
  const found: Node[] = [];
  const visit = (node: Node) => {
    found.push(node);
    for (const key of visitorKeys[node.type] ?? []) {
      const child = (node as unknown as Record<string, Node | (Node | null)[] | null | undefined>)[key];
      for (const one of Array.isArray(child) ? child : [child]) if (one) visit(one);
    }
  };
  visit(ast);
  return found;
}
