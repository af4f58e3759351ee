import { HandrailError } from "../errors";
import { isPlainText } from "../values/plain-text";

/** A run's queue limits. An absent limit does not bind. */
export interface Concurrency<Input = unknown> {
  /** Runs in progress at once, of each key, or of the workflow if there is none; from 1 to 10,000. */
  limit: number;
  /** The queue within the workflow, such as a customer's id; 200 characters at most. Default: one queue for all. */
  key?: (input: Input) => string;
  /** In addition to the limit per key: runs of the workflow in progress at once; from 1 to 10,000. */
  total?: number;
}

export interface RateLimit<Input = unknown> {
  /** Runs that begin in any `perMs` milliseconds, per key or workflow, by the database's clock; from 1 to 10,000. */
  limit: number;
  /** Up to a day. */
  perMs: number;
  /** As in `Concurrency`. If both limits have one, it must be the same. */
  key?: (input: Input) => string;
  /** In addition to the limit per key: runs of the workflow that begin in any `perMs`; from 1 to 10,000. */
  total?: number;
}

/**
 * `from` (inclusive) and `to` (exclusive) are times of day, such as "22:00" and "06:00" for a night, with optional
 * seconds. From "00:00" to "24:00" is always open.
 */
export interface TimeWindow {
  from: string;
  to: string;
  /** An IANA name, such as "Europe/Berlin". */
  timeZone: string;
}

export interface QueueOptions<Input> {
  /** How many runs are in progress at once, in all or per key. Default: as many as the workers have room for. */
  concurrency?: Concurrency<Input>;
  /** How many runs begin in a period, in all or per key. */
  rateLimit?: RateLimit<Input>;
  /** Runs are claimed only within it; at its end a run stops at its next step and goes on in the next window. */
  window?: TimeWindow;
}

export interface Rate {
  limit: number;
  perMs: number;
}

/** The limits without functions: what the store and the console need. */
export interface Limits {
  /** Per queue. */
  concurrency: number | null;
  rate: Rate | null;
  /** Of the workflow, over all of its keys. */
  total: number | null;
  totalRate: Rate | null;
  window: TimeWindow | null;
}

/** The declared queue settings of a workflow; undefined if its runs are not queued. */
export interface Queueing {
  limits: Limits;
  /** Whether there is a queue per key, or one for the workflow. */
  keyed: boolean;
  keyOf: (input: unknown) => string;
}

export const MAX_LIMIT = 10_000;
export const MAX_RATE_MS = 86_400_000;
export const MAX_KEY_LENGTH = 200;

/** @throws HandrailError `invalid_workflow` that says what to write instead */
export function defineQueueing<Input>(name: string, options: QueueOptions<Input>): Queueing | undefined {
  const { concurrency, rateLimit, window } = options;
  if (!concurrency && !rateLimit && !window) return undefined;
  if (concurrency) checkLimit(concurrency, `concurrency`, name);
  if (rateLimit) {
    checkLimit(rateLimit, `rateLimit`, name);
    checkPeriod(rateLimit.perMs, `rateLimit.perMs of workflow "${name}"`);
  }
  if (window) checkWindow(name, window);
  const key = oneKey(name, concurrency, rateLimit);
  // A limit without a key applies to the workflow: to its only queue, or in addition to those of the keys.
  const slots = split(concurrency, key !== undefined);
  const starts = split(rateLimit, key !== undefined);
  const rateOf = (limit: number | null) => (limit !== null && rateLimit ? { limit, perMs: rateLimit.perMs } : null);
  return {
    limits: {
      concurrency: slots.each,
      rate: rateOf(starts.each),
      total: slots.all,
      totalRate: rateOf(starts.all),
      window: window ?? null,
    },
    keyed: key !== undefined,
    keyOf: key ? (input) => checkedKey("queue", name, key(input as Input)) : () => "",
  };
}

type Declared<Input> = Pick<Concurrency<Input>, "limit" | "key" | "total">;

function split<Input>(declared: Declared<Input> | undefined, keyed: boolean) {
  if (!declared) return { each: null, all: null };
  if (keyed && !declared.key) return { each: null, all: declared.limit };
  return { each: declared.limit, all: declared.total ?? null };
}

function oneKey<Input>(name: string, ...declared: (Declared<Input> | undefined)[]) {
  const keys = new Set(declared.flatMap((limit) => (limit?.key ? [limit.key] : [])));
  if (keys.size > 1)
    throw new HandrailError(
      "invalid_workflow",
      `The limits of workflow "${name}" count by different keys. A run waits in one queue: give both the same key function, or move the steps with the other limit to a separate workflow.`,
    );
  return [...keys][0];
}

function checkLimit<Input>({ limit, key, total }: Declared<Input>, what: string, name: string): void {
  checkCount(limit, `${what}.limit of workflow "${name}"`);
  if (total === undefined) return;
  checkCount(total, `${what}.total of workflow "${name}"`);
  if (!key)
    throw new HandrailError(
      "invalid_workflow",
      `${what}.total of workflow "${name}" adds to a limit per key, and there is no key. Without a key, ${what}.limit is the workflow's.`,
    );
}

/** @throws HandrailError `invalid_workflow` */
export function checkCount(count: number, what: string, max = MAX_LIMIT): void {
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new HandrailError("invalid_workflow", `${what} must be a whole number from 1 to ${max}.`);
}

/** @throws HandrailError `invalid_workflow` */
export function checkPeriod(ms: number, what: string): void {
  if (!Number.isInteger(ms) || ms < 1 || ms > MAX_RATE_MS)
    throw new HandrailError("invalid_workflow", `${what} must be whole milliseconds, from 1 to a day.`);
}

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;
const MIDNIGHT = "24:00";
// Offsets such as "+02:00" are excluded: Postgres reads their sign the other way round.
const ZONE_NAME = /^[A-Za-z][A-Za-z_]*(\/[A-Za-z][A-Za-z0-9_+-]*)*$/;

/** Zones with summer time by their IANA names; PostgreSQL reads abbreviations, whose offset is always the same. */
const WITHOUT_SUMMER_TIME = /^(cet|eet|met|wet)$/i;

/** Why the window is invalid, and in which field; undefined if it is valid. */
export function refusedWindow({ from, to, timeZone }: TimeWindow): { at: keyof TimeWindow; why: string } | undefined {
  const why = `A time of day, such as "22:00".`;
  if (!TIME_OF_DAY.test(from)) return { at: "from", why };
  if (!TIME_OF_DAY.test(to) && to !== MIDNIGHT) return { at: "to", why };
  if (from === to)
    return { at: "to", why: `A time that differs from the first. From "00:00" to "24:00" is always open.` };
  if (!ZONE_NAME.test(timeZone) || !isKnownZone(timeZone) || WITHOUT_SUMMER_TIME.test(timeZone))
    return { at: "timeZone", why: `An IANA name of a place, such as "Europe/Berlin".` };
  return undefined;
}

function checkWindow(name: string, window: TimeWindow): void {
  const refused = refusedWindow(window);
  if (refused)
    throw new HandrailError(
      "invalid_workflow",
      `The window of workflow "${name}" has ${JSON.stringify(window[refused.at])} as its ${refused.at}. It needs: ${refused.why}`,
    );
}

function isKnownZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** @throws HandrailError `invalid_input` */
export function checkedKey(of: string, name: string, key: unknown): string {
  if (typeof key !== "string" || key.length > MAX_KEY_LENGTH || !isPlainText(key))
    throw new HandrailError(
      "invalid_input",
      `The ${of}'s key of a run of "${name}" must be a text of at most ${MAX_KEY_LENGTH} characters, without NUL; got ${JSON.stringify(key)?.slice(0, 80)}.`,
    );
  return key;
}

/** The code's limits as reported by a worker. */
export interface DeclaredLimits extends Limits {
  keyed: boolean;
}

/** An operator's overrides of the code's limits; null keeps the code's. */
export type LiveLimits = Limits;

export const NO_LIMITS: LiveLimits = { concurrency: null, rate: null, total: null, totalRate: null, window: null };

/** The options' names in `defineWorkflow`. */
const DECLARED_BY = {
  concurrency: "concurrency",
  rate: "rateLimit",
  total: "concurrency of all keys together",
  totalRate: "rateLimit of all keys together",
  window: "window",
} as const satisfies Record<keyof Limits, string>;

/**
 * Whether an operator may set these limits: a limit can be changed, not added, because its key is code.
 * @returns why not, in a sentence; undefined if it may
 */
export function refusedLimits(
  workflow: string,
  declared: DeclaredLimits | null,
  asked: LiveLimits,
): string | undefined {
  const limits = Object.keys(DECLARED_BY) as (keyof Limits)[];
  const lacks = limits.find((limit) => asked[limit] !== null && declared?.[limit] == null);
  return (
    lacks &&
    `The code of "${workflow}" declares no ${DECLARED_BY[lacks]}, and its runs were started without one. A limit can be changed here, not added: declare it with defineWorkflow.`
  );
}

/** The current state of a run's queue, as far as it can hold the run back. */
export interface QueueState extends Omit<Limits, "window"> {
  /** Whether the run has begun: rate limits do not hold it then. */
  begun: boolean;
  windowOpen: boolean;
  /** Claimed runs: of the queue, and of all the workflow's queues. */
  holding: number;
  totalHolding: number;
  /** Runs that have begun within the rate's period. */
  started: number;
  totalStarted: number;
}

/** The limits that can hold a run in its queue. */
export const HOLDS = ["window", "total", "concurrency", "totalRate", "rate"] as const;
export type Hold = (typeof HOLDS)[number];

/** The limit that holds a run of this queue back now; null if none does, and the next claim can take it. */
export function heldBy(queue: QueueState): Hold | null {
  const { begun, concurrency, rate, total, totalRate } = queue;
  if (!queue.windowOpen) return "window";
  if (total !== null && queue.totalHolding >= total) return "total";
  if (concurrency !== null && queue.holding >= concurrency) return "concurrency";
  if (!begun && totalRate && queue.totalStarted >= totalRate.limit) return "totalRate";
  if (!begun && rate && queue.started >= rate.limit) return "rate";
  return null;
}
