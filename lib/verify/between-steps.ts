import { AsyncLocalStorage } from "node:async_hooks";
import crypto from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { directLineIn, framesAbove, lineIn } from "./source-line";

/** What code between steps must not ask: it runs again on every claim, and gets another answer. */
export type Hazard = "clock" | "random" | "environment" | "network";

export interface SeenHazard {
  hazard: Hazard;
  /** The call, such as `Date.now()`. */
  call: string;
  line: string | null;
}

/** Called with each; set while a workflow's code runs between its steps. */
type Report = (seen: SeenHazard) => void;

const codeOf = new AsyncLocalStorage<Report | undefined>();

/** Runs a workflow's code: what it asks outside of `asStep` is reported. */
export const betweenSteps = <Result>(report: Report, code: () => Result): Result => codeOf.run(report, code);

/** Runs the engine's part of a call of the context, and the bodies. */
export const asStep = <Result>(call: () => Result): Result => codeOf.run(undefined, call);

type AnyFunction = (...given: never[]) => unknown;

function seen(hazard: Hazard, call: string, by: AnyFunction): void {
  const report = codeOf.getStore();
  if (!report) return;
  const frames = framesAbove(by);
  const line = hazard === "network" ? lineIn(frames) : directLineIn(frames);
  // What a package asks by itself, such as a cache, rarely decides what the workflow does next.
  if (line === null && hazard !== "network") return;
  asStep(() => report({ hazard, call, line }));
}

let watchers = 0;
let restore: (() => void) | undefined;

/** Watches clocks, randomness, environment and network until the returned function is called. */
export function watchCode(): () => void {
  if (watchers++ === 0) restore = patchAll();
  return () => {
    if (--watchers > 0) return;
    restore?.();
    restore = undefined;
  };
}

function patchAll(): () => void {
  const undo = [
    patchDate(),
    patchEnvironment(),
    ...PATCHES.map(([owner, name, ...what]) => patch(owner, name, ...what)),
  ];
  const onRequest = () => seen("network", "a request over HTTP", onRequest);
  subscribe(HTTP, onRequest);
  return () => {
    unsubscribe(HTTP, onRequest);
    for (const each of undo) each();
  };
}

const HTTP = "http.client.request.created";
const PATCHES: [object, string, Hazard, string][] = [
  [Math, "random", "random", "Math.random()"],
  [globalThis.crypto, "randomUUID", "random", "crypto.randomUUID()"],
  [crypto, "randomUUID", "random", "crypto.randomUUID()"],
  [crypto, "randomBytes", "random", "crypto.randomBytes()"],
  [performance, "now", "clock", "performance.now()"],
  [globalThis, "fetch", "network", "fetch()"],
];

/** Replaces a function by one that reports its calls. */
function patch(owner: object, name: string, hazard: Hazard, call: string): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  const original = (owner as Record<string, AnyFunction>)[name] as AnyFunction;
  const watched = function (this: unknown, ...given: never[]) {
    seen(hazard, call, watched);
    return original.apply(this === undefined ? owner : (this as object), given);
  };
  Object.defineProperty(owner, name, { value: watched, configurable: true, writable: true });
  return () => {
    if (own) Object.defineProperty(owner, name, own);
    else delete (owner as Record<string, unknown>)[name];
  };
}

function patchDate(): () => void {
  const { Date: original } = globalThis;
  const undo = patch(original, "now", "clock", "Date.now()");
  const handler: ProxyHandler<DateConstructor> = {
    construct(target, given, made) {
      if (given.length === 0) seen("clock", "new Date()", handler.construct as AnyFunction);
      return Reflect.construct(target, given, made === proxy ? target : made);
    },
    apply(target) {
      seen("clock", "Date()", handler.apply as AnyFunction);
      return target();
    },
  };
  const proxy = new Proxy(original, handler);
  globalThis.Date = proxy;
  return () => {
    globalThis.Date = original;
    undo();
  };
}

function patchEnvironment(): () => void {
  const { env } = process;
  const handler: ProxyHandler<NodeJS.ProcessEnv> = {
    get(target, name) {
      if (typeof name === "string") seen("environment", `process.env.${name}`, handler.get as AnyFunction);
      return target[name as string];
    },
  };
  const proxy = new Proxy(env, handler);
  process.env = proxy;
  return () => {
    if (process.env === proxy) process.env = env;
  };
}
