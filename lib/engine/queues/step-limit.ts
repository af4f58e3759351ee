import { HandrailError } from "../errors";
import { isPlainText } from "../values/plain-text";
import { checkCount, checkPeriod, MAX_KEY_LENGTH, type Rate } from "./queue";
import { MAX_THROTTLE } from "./throttle";

/** A limit of steps, shared by its name across workflows and workers. One bound at least. */
export interface LimitOptions {
  /** Lower-case letters, digits and `-`, `_`, `.`; 100 characters at most. */
  name: string;
  /** Bodies that run at once, from 1 to 10,000. Default: any number. */
  concurrency?: number;
  /** Bodies that begin in any `perMs` milliseconds, retries included, from 1 to 1,000 in up to a day. Default: any number. */
  rateLimit?: Rate;
}

export interface StepLimit extends LimitOptions {
  /** What is counted apart, such as a merchant's id: 200 characters at most. Default: all steps together. */
  key?: string;
}

/** One limit or several: a body begins with a permit of each. */
export type StepLimits = StepLimit | readonly StepLimit[];

/** The limits of a step as its permits are asked for. */
export interface LimitPlan {
  name: string;
  key: string;
  concurrency: number | null;
  rateLimit: Rate | null;
}

const MAX_LIMITS = 5;
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** Checks a limit once, where it is declared. @throws HandrailError `invalid_workflow` */
export function defineLimit(options: LimitOptions): Readonly<LimitOptions> {
  checkLimit(options);
  return Object.freeze({ ...options });
}

/** @throws HandrailError `invalid_workflow`, or `invalid_value` for a key */
export function planLimits(step: string, given: StepLimits): readonly LimitPlan[] {
  const limits = Array.isArray(given) ? (given as readonly StepLimit[]) : [given as StepLimit];
  if (limits.length < 1 || limits.length > MAX_LIMITS)
    throw invalid(`limit of step "${step}" is one limit, or 1 to ${MAX_LIMITS} of them; got ${limits.length}.`);
  const met = new Set<string>();
  return limits.map((limit) => {
    checkLimit(limit, ["key"]);
    const { name, concurrency = null, rateLimit = null } = limit;
    // Left out, it counts all together; one that is undefined was meant to say whom.
    const key: unknown = "key" in limit ? limit.key : "";
    checkKey(name, step, key);
    const both = JSON.stringify([name, key]);
    if (met.has(both)) throw invalid(`Step "${step}" names limit "${name}" twice with the same key.`);
    met.add(both);
    return { name, key, concurrency, rateLimit };
  });
}

const OPTIONS = ["name", "concurrency", "rateLimit"];

function checkLimit(limit: StepLimit, more: readonly string[] = []): void {
  if (typeof limit !== "object" || limit === null)
    throw invalid(`A limit is an object, such as { name: "stripe", concurrency: 10 }; got ${typeof limit}.`);
  const { name, concurrency, rateLimit } = limit;
  if (typeof name !== "string" || !NAME.test(name))
    throw invalid(
      `${JSON.stringify(name)?.slice(0, 120)} cannot name a limit. Use lower-case letters, digits, "-", "_" and ".", such as "stripe".`,
    );
  const unknown = Object.keys(limit).find((option) => !OPTIONS.includes(option) && !more.includes(option));
  if (unknown !== undefined)
    throw invalid(
      `Limit "${name}" takes no "${unknown}": it has concurrency and rateLimit, and a step that names it may add its key.`,
    );
  if (concurrency === undefined && !rateLimit)
    throw invalid(`Limit "${name}" has no bound: give it concurrency, rateLimit, or both.`);
  if (concurrency !== undefined) checkCount(concurrency, `concurrency of limit "${name}"`);
  if (!rateLimit) return;
  // The instants of so many permits are kept for each key.
  checkCount(rateLimit.limit, `rateLimit.limit of limit "${name}"`, MAX_THROTTLE);
  checkPeriod(rateLimit.perMs, `rateLimit.perMs of limit "${name}"`);
}

function checkKey(name: string, step: string, key: unknown): asserts key is string {
  if (typeof key === "string" && key.length <= MAX_KEY_LENGTH && isPlainText(key)) return;
  throw new HandrailError(
    "invalid_value",
    `The key of limit "${name}" in step "${step}" must be a text of at most ${MAX_KEY_LENGTH} characters, without NUL; got ${typeof key === "string" ? `one of ${key.length}` : typeof key}.`,
  );
}

const invalid = (message: string) => new HandrailError("invalid_workflow", message);
