import type * as ES from "estree";
import type { Names } from "../names";
import { bare, keyOf, type Node } from "../syntax";

/** What code between steps may not do, as it is said. */
interface Effect {
  what: string;
  /** What to do instead. */
  instead: string;
}

const CLOCK = "Use `await ctx.now()`, which is kept as a step, or `ctx.run.createdAt`.";
const RANDOM = "Use `await ctx.uuid()` or `await ctx.random()`, which are kept as steps.";
const IN_A_BODY = "Call it in the body of a step.";
const TIMER = "Use `ctx.sleep`, which frees the worker and survives a restart.";

const GLOBAL_CALLS: Record<string, string> = {
  "Date.now": CLOCK,
  Date: CLOCK,
  "performance.now": CLOCK,
  "process.hrtime": CLOCK,
  "process.hrtime.bigint": CLOCK,
  "process.uptime": CLOCK,
  "Math.random": RANDOM,
  "crypto.randomUUID": RANDOM,
  "crypto.getRandomValues": RANDOM,
  fetch: IN_A_BODY,
  setTimeout: TIMER,
  setInterval: TIMER,
  setImmediate: TIMER,
};

/** Modules all of whose functions have effects, or answers that change. */
const OUTSIDE =
  /^(node:)?(fs|fs\/promises|http|https|http2|net|tls|dgram|dns|dns\/promises|child_process|worker_threads)$/;
const CLIENTS = /^(axios|got|ky|node-fetch|nodemailer|superagent|undici)$/;
const TIMERS = /^(node:)?timers(\/promises)?$/;
const CRYPTO = /^(node:)?crypto$/;
const CRYPTO_RANDOM = /^(random|getRandomValues|generateKey)/;
const IDS = /^(uuid|nanoid|ulid|@paralleldrive\/cuid2)$/;
const IDS_RANDOM = /^(v1|v4|v6|v7|nanoid|ulid|createId|default|customAlphabet)$/;

/** The effect of a call, an access or `new`, if it is seen to have one. */
export function effectOf(node: Node, names: Names): Effect | undefined {
  if (node.type === "NewExpression")
    return names.globalName(node.callee) === "Date" && node.arguments.length === 0
      ? { what: "new Date()", instead: CLOCK }
      : undefined;
  if (node.type === "MemberExpression") return environment(node, names);
  if (node.type !== "CallExpression") return undefined;
  const called = globalPath(node.callee, names);
  const instead = called === undefined ? undefined : GLOBAL_CALLS[called.replace(/^globalThis\./, "")];
  if (called && instead) return { what: `${called}()`, instead };
  const imported = names.importOf(node.callee);
  const advice = imported && insteadOf(imported.module, imported.name);
  return advice ? { what: `${written(node.callee)}()`, instead: advice } : undefined;
}

function environment(node: ES.MemberExpression, names: Names): Effect | undefined {
  if (globalPath(node, names) !== "process.env") return undefined;
  return {
    what: "process.env",
    instead: "Read it in the body of a step, or outside of the workflow, and pass it in through `ctx.services`.",
  };
}

function insteadOf(module: string, name: string): string | undefined {
  if (OUTSIDE.test(module) || CLIENTS.test(module)) return IN_A_BODY;
  if (TIMERS.test(module)) return /^clear/.test(name) ? undefined : TIMER;
  if (CRYPTO.test(module)) return CRYPTO_RANDOM.test(name) ? RANDOM : undefined;
  return IDS.test(module) && IDS_RANDOM.test(name) ? RANDOM : undefined;
}

/** `a.b.c`, if `a` is a global. */
function globalPath(given: Node, names: Names): string | undefined {
  const node = bare(given);
  if (node.type !== "MemberExpression") return names.globalName(node);
  const of = globalPath(node.object, names);
  const key = keyOf(node);
  return of !== undefined && key !== undefined ? `${of}.${key}` : undefined;
}

function written(given: Node): string {
  const node = bare(given);
  if (node.type === "Identifier") return node.name;
  return node.type === "MemberExpression" ? `${written(node.object)}.${keyOf(node) ?? "…"}` : "…";
}
