import type * as ES from "estree";
import { Names } from "./names";
import {
  ancestorsOf,
  bare,
  type FunctionNode,
  isFunction,
  keyOf,
  type Node,
  nodesOf,
  parentOf,
  type SourceCode,
  type Variable,
} from "./syntax";

/** The calls of `ctx` that are steps: they return a promise, and are refused within a body. */
export const STEP_CALLS = new Set([
  "step",
  "transaction",
  "sleep",
  "sleepUntil",
  "checkpoint",
  "waitForEvent",
  "approval",
  "child",
  "startChild",
  "now",
  "random",
  "uuid",
  "cancelRun",
  "sendEvent",
  "publish",
  "mapSteps",
]);
const NOTES = new Set(["log", "progress"]);
/** As which argument a call takes its name, where that is not the first, and its body. */
const NAME_AT: Record<string, number> = { mapSteps: 1 };
const BODY_AT: Record<string, number> = { step: 1, transaction: 1, mapSteps: 2 };
/** As which argument a call takes options with code. */
const OPTIONS_AT: Record<string, number> = { step: 2, transaction: 2, child: 3, startChild: 3, mapSteps: 3 };

/** A call of a workflow's `ctx`, however it is written. */
export interface StepCall {
  node: ES.CallExpression;
  method: string;
  /** Undefined for `checkpoint`, and where it is not there. */
  name: Node | undefined;
  body: FunctionNode | undefined;
  options: ES.ObjectExpression | undefined;
}

/** What a file has of workflows. */
export class Workflows {
  readonly names: Names;
  readonly nodes: readonly Node[];
  readonly calls: StepCall[] = [];
  /** Calls of `ctx.log` and `ctx.progress`, which record what is said once. */
  readonly notes: ES.CallExpression[] = [];
  /** Calls into `ctx.services`. */
  readonly serviceCalls: ES.CallExpression[] = [];
  /** The functions that are handed to `defineWorkflow`. */
  readonly handlers = new Set<FunctionNode>();
  /** What a step runs: its body, its compensation, and the other functions of its options. */
  readonly bodies = new Set<FunctionNode>();
  private readonly functions: readonly FunctionNode[];
  private readonly met = new Set<Variable>();

  constructor(private readonly source: SourceCode) {
    this.names = new Names(source);
    this.nodes = nodesOf(source);
    this.functions = this.nodes.filter(isFunction);
    for (const node of this.nodes) if (node.type === "CallExpression") this.meetDefinition(node);
    for (const node of this.functions) this.meetTyped(node);
  }

  private meetDefinition(node: ES.CallExpression): void {
    if (!this.isDefinition(node)) return;
    const handler = this.names.functionOf(node.arguments[1]);
    if (!handler) return;
    this.handlers.add(handler);
    this.meetContext(handler, 0);
  }

  private isDefinition({ callee: given }: ES.CallExpression): boolean {
    const callee = bare(given);
    if (this.names.globalName(callee) === "defineWorkflow") return true;
    const imported = this.names.importOf(callee);
    if (imported) return imported.name === "defineWorkflow" && isHandrails(imported.module);
    if (callee.type !== "MemberExpression" || keyOf(callee) !== "workflow") return false;
    let worker: Node = callee.object;
    while (worker.type === "CallExpression" && worker.callee.type === "MemberExpression") worker = worker.callee.object;
    const made = this.names.valueOf(worker);
    if (made.type !== "CallExpression") return false;
    const maker = this.names.importOf(made.callee)?.name ?? this.names.globalName(made.callee);
    return maker === "createHttpWorker";
  }

  /** A function whose parameter has the type `Context` of handrail's. */
  private meetTyped(node: FunctionNode): void {
    for (const [index, parameter] of node.params.entries()) {
      const annotation = (parameter as { typeAnnotation?: { typeAnnotation?: { type: string; typeName?: Node } } })
        .typeAnnotation?.typeAnnotation;
      if (annotation?.type !== "TSTypeReference" || !annotation.typeName) continue;
      const { module, name } = this.names.importOf(annotation.typeName) ?? { module: "", name: "" };
      if (/^handrail(\/|$)/.test(module) && /^(Http)?Context$/.test(name)) this.meetContext(node, index);
    }
  }

  private meetContext(of: FunctionNode, index: number): void {
    const parameter = of.params[index];
    if (parameter) this.bind(parameter, this.source.scopeManager?.getDeclaredVariables(of) ?? []);
  }

  /** @param declared the variables that the pattern declares, among others */
  private bind(given: Node, declared: readonly Variable[]): void {
    const pattern = withoutDefault(given);
    if (pattern.type === "Identifier") {
      const variable = variableOf(pattern, declared);
      if (variable && !this.met.has(variable)) this.follow(variable);
    }
    if (pattern.type !== "ObjectPattern") return;
    for (const property of pattern.properties) {
      if (property.type !== "Property") continue;
      const method = keyOf(property as ES.Property);
      if (method === "services") {
        this.bindServices(property.value, declared, false);
        continue;
      }
      const variable = variableOf(property.value, declared);
      if (method && variable) for (const { identifier } of variable.references) this.meetUse(identifier, method);
    }
  }

  /** @param isOne the pattern takes a part of the services, such as one of them, rather than all */
  private bindServices(given: Node, declared: readonly Variable[], isOne: boolean): void {
    const pattern = withoutDefault(given);
    if (pattern.type === "ObjectPattern")
      for (const property of pattern.properties)
        if (property.type === "Property") this.bindServices(property.value, declared, true);
        else this.bindServices(property.argument, declared, isOne);
    const variable = variableOf(pattern, declared);
    if (!variable || this.met.has(variable)) return;
    this.met.add(variable);
    for (const { identifier } of variable.references) this.meetService(identifier, isOne);
  }

  /** What is done with a variable that holds `ctx`. */
  private follow(variable: Variable): void {
    this.met.add(variable);
    for (const { identifier } of variable.references) {
      const parent = parentOf(identifier);
      if (parent?.type === "MemberExpression" && parent.object === identifier) {
        const method = keyOf(parent);
        if (method) this.meetUse(parent, method);
      } else if (parent?.type === "VariableDeclarator" && parent.init === identifier)
        this.bind(parent.id, this.source.scopeManager?.getDeclaredVariables(parent) ?? []);
      else if (parent?.type === "CallExpression" && parent.callee !== identifier) {
        const called = this.names.functionOf(parent.callee);
        if (called) this.meetContext(called, parent.arguments.indexOf(identifier as ES.Expression));
      }
    }
  }

  private meetUse(use: Node, method: string): void {
    if (method === "services") this.meetService(use, false);
    const call = parentOf(use);
    if (call?.type !== "CallExpression" || call.callee !== use) return;
    if (NOTES.has(method)) this.notes.push(call);
    if (STEP_CALLS.has(method)) this.meetStep(call, method);
  }

  private meetService(use: Node, isOne: boolean): void {
    let top = use;
    for (const above of ancestorsOf(use)) {
      const isWithin = isOne || top !== use;
      if (above.type === "CallExpression" && above.callee === top && isWithin)
        return void this.serviceCalls.push(above);
      if (above.type === "VariableDeclarator" && above.init === top)
        this.bindServices(above.id, this.source.scopeManager?.getDeclaredVariables(above) ?? [], isWithin);
      if (above.type !== "MemberExpression" || above.object !== top) return;
      top = above;
    }
  }

  private meetStep(node: ES.CallExpression, method: string): void {
    const { arguments: given } = node;
    const optionsAt = given[OPTIONS_AT[method] ?? given.length];
    const options = optionsAt && this.names.valueOf(optionsAt);
    const bodyAt = given[BODY_AT[method] ?? given.length];
    const call: StepCall = {
      node,
      method,
      name: method === "checkpoint" ? undefined : given[NAME_AT[method] ?? 0],
      body: this.names.functionOf(bodyAt),
      options: options?.type === "ObjectExpression" ? options : undefined,
    };
    this.calls.push(call);
    if (call.body) this.bodies.add(call.body);
    for (const property of call.options?.properties ?? []) {
      const code = property.type === "Property" ? this.names.functionOf(property.value) : undefined;
      if (code) this.bodies.add(code);
    }
    // Such as `traced(() => …)`: what makes the body runs now, what it is given runs in the step.
    for (const one of [bodyAt, optionsAt])
      if (one) for (const inner of this.functions) if (isOutermostIn(inner, one)) this.bodies.add(inner);
  }
}

const withoutDefault = (pattern: Node): Node => (pattern.type === "AssignmentPattern" ? pattern.left : pattern);

const variableOf = (node: Node, declared: readonly Variable[]) =>
  declared.find(({ defs }) => defs.some(({ name }) => name === node));

const isOutermostIn = (inner: FunctionNode, outer: Node): boolean => {
  for (let node: Node | null = inner; node; node = parentOf(node)) {
    if (node === outer) return true;
    if (node !== inner && isFunction(node)) return false;
  }
  return false;
};

/** Handrail itself, or a module of the app that may hand it on: not another package. */
const isHandrails = (module: string) => /^(handrail(\/|$)|[.~#/]|@\/)/.test(module);

const known = new WeakMap<object, Workflows>();

/** The same for all rules of a file. */
export function workflowsOf(source: SourceCode): Workflows {
  const found = known.get(source.ast) ?? new Workflows(source);
  known.set(source.ast, found);
  return found;
}
