import {
  bare,
  type FunctionNode,
  isFunction,
  keyOf,
  type Node,
  type Reference,
  type SourceCode,
  type Variable,
} from "./syntax";

/** What a name of a module gives: `default`, `*` for all of it, or the name that it is exported by. */
interface Imported {
  module: string;
  name: string;
}

/** What the names of a file stand for. */
export class Names {
  private readonly references = new Map<Node, Reference>();

  constructor({ scopeManager }: SourceCode) {
    for (const scope of scopeManager?.scopes ?? [])
      for (const reference of scope.references) this.references.set(reference.identifier, reference);
  }

  variableOf(node: Node): Variable | undefined {
    return this.references.get(node)?.resolved ?? undefined;
  }

  /** The name, if nothing in the file declares it. */
  globalName(node: Node): string | undefined {
    if (node.type !== "Identifier" || (this.variableOf(node)?.defs.length ?? 0) > 0) return undefined;
    return node.name;
  }

  /** What a name was given once and for all; the node itself if it is no such name. */
  valueOf(given: Node): Node {
    const node = bare(given);
    if (node.type !== "Identifier") return node;
    const variable = this.variableOf(node);
    const [definition, another] = variable?.defs ?? [];
    if (!variable || !definition || another) return node;
    if (definition.type === "FunctionName") return definition.node;
    if (definition.node.type !== "VariableDeclarator" || definition.node.id !== definition.name) return node;
    const { init } = definition.node;
    return init && isWrittenOnce(variable) ? bare(init) : node;
  }

  functionOf(given: Node | null | undefined): FunctionNode | undefined {
    const value = given && this.valueOf(given);
    return isFunction(value) ? value : undefined;
  }

  /** Where a name or `name.member` comes from, if that is another module. */
  importOf(given: Node): Imported | undefined {
    const node = bare(given);
    if (node.type === "MemberExpression") {
      const of = this.importOf(node.object);
      const name = keyOf(node);
      return of && name !== undefined ? { module: of.module, name } : undefined;
    }
    const [definition] = this.variableOf(node)?.defs ?? [];
    if (!definition) return undefined;
    return fromImport(definition) ?? this.fromRequire(definition);
  }

  private fromRequire({ node, name }: Variable["defs"][number]): Imported | undefined {
    if (node.type !== "VariableDeclarator" || node.init?.type !== "CallExpression") return undefined;
    const { callee, arguments: given } = node.init;
    const [module] = given;
    if (this.globalName(callee) !== "require" || module?.type !== "Literal") return undefined;
    const from = String(module.value);
    if (node.id === name) return { module: from, name: "*" };
    const property =
      node.id.type === "ObjectPattern" &&
      node.id.properties.find((one) => one.type === "Property" && one.value === name);
    return property && property.type === "Property"
      ? { module: from, name: keyOf(property as never) ?? "*" }
      : undefined;
  }
}

const isWrittenOnce = ({ references }: Variable) => references.every((one) => !one.isWrite() || one.init === true);

function fromImport({ type, node, parent }: Variable["defs"][number]): Imported | undefined {
  if (type !== "ImportBinding" || parent?.type !== "ImportDeclaration") return undefined;
  const module = String(parent.source.value);
  if (node.type === "ImportSpecifier")
    return { module, name: node.imported.type === "Identifier" ? node.imported.name : String(node.imported.value) };
  return { module, name: node.type === "ImportDefaultSpecifier" ? "default" : "*" };
}
