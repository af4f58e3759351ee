import { HandrailError, isHandrailError } from "../errors";
import { invalidInput } from "../invalid-input";
import { type Pause, withPauses } from "../parts";
import { withMaskedKey, withMaskedTags } from "../privacy/masked-tags";
import type { SingletonConflict } from "../queues/singleton";
import type { TraceText } from "../traces/trace-context";
import { type CodecOptions, encodeValue } from "../values/codec";
import { isPlainText } from "../values/plain-text";
import type { Workflow } from "../workflows/workflow";
import { unknownVersion } from "../workflows/workflow-versions";
import { checkedHeaders, type Headers } from "./headers";
import { MAX_STARTS } from "./run";
import { checkLimits, type StartLimits } from "./run-deadline";
import { runTitleOf } from "./run-title";

export interface StartOptions extends StartLimits {
  /** The same key and input return the same run, as long as that one is kept. 255 characters at most. */
  idempotencyKey?: string;
  /** Not before this instant, by the database's clock. Default: at once. */
  runAt?: Date;
  /** Not before so many milliseconds from now, by the database's clock; up to a year. Instead of `runAt`. */
  delayMs?: number;
  /** Higher goes first within its workflow; -100 to 100. Default 0. */
  priority?: number;
  /** Later starts with the same key replace this one until it begins. Not with `runAt`, `delayMs`, `idempotencyKey`. */
  debounce?: Debounce;
  /** Added to the workflow's own tags; 16 in all. */
  tags?: Record<string, string>;
  /** Handed to the code, and on to what it starts: `{ tenant: "acme" }`. 16 at most; names in lower case. */
  headers?: Headers;
  /** Only workers that have this version of the workflow take the run. Default: it begins as the newest. */
  version?: number;
}

/** Bursts of starts become one run, `delayMs` after the last of them. */
export interface Debounce {
  /** Unique within the workflow; 255 characters at most. */
  key: string;
  /** After the latest start, up to a day. */
  delayMs: number;
  /** Latest begin after the first start: from `delayMs` to seven days. Default: ten times `delayMs`. */
  maxMs?: number;
}

/** A validated start, ready to be written. */
export interface RunToStart {
  workflow: string;
  version: number;
  /** `version` was chosen: only workers that have it take the run. */
  pinned?: boolean;
  input: string;
  tags: Record<string, string>;
  /** What people call it; null: nothing but its tags and key. */
  runTitle: string | null;
  idempotencyKey: string | null;
  runAt: Date | null;
  delayMs: number | null;
  priority: number;
  /** The queue within the workflow; null for workflows without queues. */
  queueKey: string | null;
  debounce: Required<Debounce> | null;
  /** From when it is due; absent: no limit. */
  beginWithinMs?: number;
  endWithinMs?: number;
  /** Absent or null: none. */
  headers?: Headers | null;
  /** Of the span that starts it; absent: none. */
  trace?: TraceText | null;
  /** Of a workflow with `singleton`. A key that reveals a masked value is a digest. */
  singleton?: { key: string; onConflict: SingletonConflict };
  /** Of a workflow with `throttle`, likewise. */
  throttle?: { key: string; limit: number; perMs: number };
  /** Of an input in the blob store, which belongs to the run of this id: the value itself. */
  large?: { id: string; text: string };
}

const NO_PAUSE: Pause = async () => undefined;

/**
 * Validates a start completely before anything is written.
 * @throws HandrailError `invalid_input` with the paths of what is wrong in `details.issues`; `unknown_version` if the
 * workflow is another one than `options.version`
 */
export async function prepareStart(
  workflow: Workflow,
  input: unknown,
  options: StartOptions = {},
  pause: Pause = NO_PAUSE,
  bounds: CodecOptions = {},
): Promise<RunToStart> {
  const { version = workflow.version } = options;
  if (version !== workflow.version) throw unknownVersion(workflow.name, version, [workflow.version]);
  await pause();
  return prepareParsed(workflow, await checkInput(workflow, input), options, pause, bounds);
}

/** The same with an input that this version's schema has parsed before: a transform would change it once more. */
export async function prepareParsed(
  workflow: Workflow,
  value: unknown,
  options: StartOptions = {},
  pause: Pause = NO_PAUSE,
  bounds: CodecOptions = {},
): Promise<RunToStart> {
  const { idempotencyKey = null, runAt = null, delayMs = null, priority = 0 } = options;
  checkOptions(idempotencyKey, runAt, priority);
  checkDelay(options);
  checkLimits(options, { debounced: options.debounce !== undefined });
  if ((workflow.singleton || workflow.throttle) && options.debounce)
    throw new HandrailError(
      "invalid_request",
      `Starts of "${workflow.name}" take no debounce: it is a ${workflow.singleton ? "singleton" : "throttled workflow"}.`,
    );
  const headers = checkedHeaders(options.headers);
  const tags = { ...workflow.tags(value), ...options.tags };
  checkTags(tags);
  await pause();
  const encoded = encodeValue(value, `input of workflow "${workflow.name}"`, bounds);
  await pause();
  return {
    workflow: workflow.name,
    version: workflow.version,
    ...(options.version !== undefined && { pinned: true }),
    input: encoded,
    tags: await withPauses(withMaskedTags(tags, workflow, encoded), pause),
    runTitle: workflow.runTitle ? await withPauses(runTitleOf(workflow, value, encoded), pause) : null,
    idempotencyKey,
    runAt,
    delayMs,
    priority,
    queueKey: workflow.queueing?.keyOf(value) ?? null,
    debounce: options.debounce ? checkedDebounce(options.debounce) : null,
    ...(options.beginWithinMs !== undefined && { beginWithinMs: options.beginWithinMs }),
    ...(options.endWithinMs !== undefined && { endWithinMs: options.endWithinMs }),
    ...(headers && { headers }),
    ...(await keysOf(workflow, value, encoded, pause)),
  };
}

/** What the workflow's `singleton` and `throttle` count the start by. */
async function keysOf({ singleton, throttle, masked }: Workflow, value: unknown, input: string, pause: Pause) {
  const kept = (key: string) => withPauses(withMaskedKey(key, masked, input), pause);
  return {
    ...(singleton && { singleton: { key: await kept(singleton.keyOf(value)), onConflict: singleton.onConflict } }),
    ...(throttle && {
      throttle: { key: await kept(throttle.keyOf(value)), limit: throttle.limit, perMs: throttle.perMs },
    }),
  };
}

/**
 * Validates many starts of one workflow, before any is written.
 * @throws HandrailError as for one; `details.index` names the start
 */
export async function prepareStarts(
  workflow: Workflow,
  starts: readonly { input: unknown; options?: StartOptions }[],
  pause: Pause = NO_PAUSE,
): Promise<RunToStart[]> {
  if (starts.length > MAX_STARTS)
    throw new HandrailError("invalid_request", `One call starts ${MAX_STARTS} runs at most; it got ${starts.length}.`);
  const prepared: RunToStart[] = [];
  for (const [index, { input, options }] of starts.entries())
    prepared.push(await prepareStart(workflow, input, options, pause).catch((error) => refusedAt(index, error)));
  return prepared;
}

/** The refusal of one of many starts, which it names. */
export function refusedAt(index: number, error: unknown): never {
  if (!isHandrailError(error)) throw error;
  throw new HandrailError(error.code, `Start ${index + 1}: ${error.message}`, { ...error.details, index });
}

/** An input as parsed by the workflow's schema. @throws HandrailError `invalid_input` */
export async function checkInput({ name, input: schema }: Pick<Workflow, "name" | "input">, input: unknown) {
  const result = await schema["~standard"].validate(input);
  if (result.issues) throw invalidInput(`The input does not fit workflow "${name}".`, result.issues);
  return result.value;
}

function checkOptions(key: string | null, runAt: Date | null, priority: number): void {
  if (key !== null && (key.length < 1 || key.length > 255 || !isPlainText(key)))
    throw new HandrailError(
      "invalid_request",
      "An idempotency key has 1 to 255 characters, none of them NUL or half of a surrogate pair.",
    );
  if (runAt !== null && !isKept(runAt))
    throw new HandrailError("invalid_request", "runAt is an instant in one of the years 1 to 9999, in UTC.");
  if (!Number.isInteger(priority) || Math.abs(priority) > 100)
    throw new HandrailError("invalid_request", "A priority is a whole number from -100 to 100.");
}

/** Other years have a sign in ISO 8601, which Postgres does not read. */
const isKept = (instant: Date) => instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9_999;

const DAY_MS = 86_400_000;

function checkDelay({ idempotencyKey, runAt, delayMs, debounce }: StartOptions): void {
  // Behind a request to another process what JSON cannot say is null, which is not less than 0.
  if (delayMs !== undefined && !(Number.isFinite(delayMs) && delayMs >= 0 && delayMs <= 366 * DAY_MS))
    throw new HandrailError("invalid_request", "delayMs is a number of milliseconds from 0 to a year.");
  if ([runAt, delayMs, debounce].filter((one) => one !== undefined).length > 1)
    throw new HandrailError("invalid_request", "A start takes one of runAt, delayMs and debounce.");
  if (debounce && idempotencyKey !== undefined)
    throw new HandrailError(
      "invalid_request",
      "A start takes debounce or an idempotency key: the one replaces the input of a run, the other keeps it.",
    );
}

function checkedDebounce({ key, delayMs, maxMs = Math.min(10 * delayMs, 7 * DAY_MS) }: Debounce): Required<Debounce> {
  if (!fits(key, 255))
    throw new HandrailError("invalid_request", "A debounce key has 1 to 255 characters, without NUL.");
  if (!(delayMs > 0 && delayMs <= DAY_MS) || !(maxMs >= delayMs && maxMs <= 7 * DAY_MS))
    throw new HandrailError(
      "invalid_request",
      "A debounce waits from 1 millisecond to a day, and at the latest (maxMs) from delayMs to seven days.",
    );
  return { key, delayMs, maxMs };
}

function checkTags(tags: Record<string, string>): void {
  const entries = Object.entries(tags);
  if (entries.length > 16)
    throw new HandrailError("invalid_request", `A run takes 16 tags at most; it got ${entries.length}.`);
  for (const [name, value] of entries)
    if (typeof value !== "string" || !fits(name, 64) || !fits(value, 256))
      throw new HandrailError(
        "invalid_request",
        `The tag "${name}" needs a name of 1 to 64 characters and a text of 1 to 256.`,
      );
}

const fits = (text: string, max: number) => text.length >= 1 && text.length <= max && isPlainText(text);
