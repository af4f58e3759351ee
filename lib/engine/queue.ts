import { HandrailError } from "./errors";

/** What a run's queue lets through. A limit that is absent does not bind. */
export interface Concurrency<Input = unknown> {
  /** Runs of one queue that are worked on at once; from 1 to 10,000. */
  limit: number;
  /** The queue within the workflow, such as a customer's id; 200 characters at most. Default: one queue for all. */
  key?: (input: Input) => string;
}

export interface RateLimit<Input = unknown> {
  /** Runs of one queue that begin in any `perMs` milliseconds, by the database's clock; from 1 to 10,000. */
  limit: number;
  /** Up to a day. */
  perMs: number;
  /** As in `Concurrency`. With both limits, one key counts for both. */
  key?: (input: Input) => string;
}

/** From and to are times of day, such as "22:00" and "06:00" for a night, with seconds if need be; to is not in it any more. */
export interface TimeWindow {
  from: string;
  to: string;
  /** An IANA name, such as "Europe/Berlin". */
  timeZone: string;
}

export interface QueueOptions<Input> {
  /** How many runs are worked on at once, in all or per key. Default: as many as the workers have room for. */
  concurrency?: Concurrency<Input>;
  /** How many runs begin in a time, in all or per key. */
  rateLimit?: RateLimit<Input>;
  /** Runs are claimed only within it; one that meets its end stops at its next step and goes on in the next window. */
  window?: TimeWindow;
}

/** The limits as they bind, without functions: what the store and the console need. */
export interface Limits {
  concurrency: number | null;
  rate: { limit: number; perMs: number } | null;
  window: TimeWindow | null;
}

/** What a workflow declares about its queues; undefined for one whose runs stand in none. */
export interface Queueing {
  limits: Limits;
  /** Whether there is a queue per key, or one for the workflow. */
  keyed: boolean;
  keyOf: (input: unknown) => string;
}

export const MAX_LIMIT = 10_000;
export const MAX_RATE_MS = 86_400_000;
const MAX_KEY_LENGTH = 200;

/** @throws HandrailError `invalid_workflow` that says what to write instead */
export function defineQueueing<Input>(name: string, options: QueueOptions<Input>): Queueing | undefined {
  const { concurrency, rateLimit, window } = options;
  if (!concurrency && !rateLimit && !window) return undefined;
  if (concurrency) checkCount(concurrency.limit, `concurrency.limit of workflow "${name}"`);
  if (rateLimit) {
    checkCount(rateLimit.limit, `rateLimit.limit of workflow "${name}"`);
    checkPeriod(rateLimit.perMs, `rateLimit.perMs of workflow "${name}"`);
  }
  if (window) checkWindow(name, window);
  if (concurrency && rateLimit && concurrency.key !== rateLimit.key)
    throw new HandrailError(
      "invalid_workflow",
      `The limits of workflow "${name}" count by different keys. A run stands in one queue: give both the same key function, or move what is limited otherwise to a workflow of its own.`,
    );
  const key = concurrency?.key ?? rateLimit?.key;
  return {
    limits: {
      concurrency: concurrency?.limit ?? null,
      rate: rateLimit ? { limit: rateLimit.limit, perMs: rateLimit.perMs } : null,
      window: window ?? null,
    },
    keyed: key !== undefined,
    keyOf: key ? (input) => checkedKey(name, key(input as Input)) : () => "",
  };
}

/** @throws HandrailError `invalid_workflow` */
export function checkCount(count: number, what: string): void {
  if (!Number.isInteger(count) || count < 1 || count > MAX_LIMIT)
    throw new HandrailError("invalid_workflow", `${what} must be a whole number from 1 to ${MAX_LIMIT}.`);
}

function checkPeriod(ms: number, what: string): void {
  if (!Number.isInteger(ms) || ms < 1 || ms > MAX_RATE_MS)
    throw new HandrailError("invalid_workflow", `${what} must be whole milliseconds, from 1 to a day.`);
}

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;
// Offsets such as "+02:00" are left out: Postgres reads their sign the other way round.
const ZONE_NAME = /^[A-Za-z][A-Za-z_]*(\/[A-Za-z][A-Za-z0-9_+-]*)*$/;

function checkWindow(name: string, { from, to, timeZone }: TimeWindow): void {
  if (!TIME_OF_DAY.test(from) || !TIME_OF_DAY.test(to) || from === to)
    throw new HandrailError(
      "invalid_workflow",
      `The window of workflow "${name}" needs two different times of day, such as from: "22:00", to: "06:00".`,
    );
  if (!ZONE_NAME.test(timeZone) || !isKnownZone(timeZone))
    throw new HandrailError(
      "invalid_workflow",
      `"${timeZone}" is no time zone for the window of workflow "${name}". Use an IANA name, such as "Europe/Berlin".`,
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

function checkedKey(name: string, key: unknown): string {
  if (typeof key !== "string" || key.length > MAX_KEY_LENGTH || key.includes("\0") || !key.isWellFormed())
    throw new HandrailError(
      "invalid_input",
      `The queue's key of a run of "${name}" must be a text of at most ${MAX_KEY_LENGTH} characters, without NUL; got ${JSON.stringify(key)?.slice(0, 80)}.`,
    );
  return key;
}

/** The code's limits as a worker has told of them. */
export interface DeclaredLimits extends Limits {
  keyed: boolean;
}

/** An operator's limits over the code's; null leaves the code's. */
export type LiveLimits = Pick<Limits, "concurrency" | "rate">;

/**
 * Whether an operator may set these limits: a limit can be changed, not added, for its key is code.
 * @returns why not, in a sentence; undefined when it may
 */
export function refusedLimits(
  workflow: string,
  declared: DeclaredLimits | null,
  asked: LiveLimits,
): string | undefined {
  const lacks =
    asked.concurrency !== null && declared?.concurrency == null
      ? "concurrency"
      : asked.rate !== null && declared?.rate == null
        ? "rateLimit"
        : undefined;
  return (
    lacks &&
    `The code of "${workflow}" declares no ${lacks}, and its runs were started without one. A limit can be changed here, not added: declare it with defineWorkflow.`
  );
}
