import { z } from "zod";
import type { Fields } from "../../actions/action";
import { ACTIONS, type ParamsOfAct, type ShapeOf } from "../../actions/actions";
import { COMPENSATION_LANES, MAX_ASSIGNEE } from "../../engine/compensations/compensation-board";
import { INTAKE_HOLDS } from "../../engine/queues/intake";
import { MAX_LIMIT, MAX_RATE_MS, refusedWindow } from "../../engine/queues/queue";
import type { OperatorAct } from "../../engine/runs/operator-acts";
import { ATTENTIONS, MAX_STARTS, RUN_SORTS, RUN_STATUSES } from "../../engine/runs/run";
import { MAX_QUESTIONS, readQuestion } from "../../engine/runs/run-question";
import { isPlainText } from "../../engine/values/plain-text";
import { MAX_PATH_LENGTH, MAX_PATHS, parseValuePath } from "../../engine/values/value-path";
import { instant, json } from "./run";
import { givenId } from "./values";

/** Text that Postgres can store: without NUL and unpaired surrogates. */
const NOT_PLAIN = { error: "Holds NUL or half of a surrogate pair." };
export const plainText = z.string().refine(isPlainText, NOT_PLAIN);

/** JSON that is stored as it is, past the codec: all its texts and keys are plain. */
export const plainJson = json.refine((value) => isPlainJson(value), NOT_PLAIN);

function isPlainJson(value: unknown): boolean {
  if (typeof value === "string") return isPlainText(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => isPlainText(key) && isPlainJson(item));
}

export const reason = plainText.trim().min(1, "Enter a reason: it is saved to the audit log.").max(2_000);
/** The revision that the decision is based on; the action is refused (409 changed) when the run has changed. */
export const revision = z.int().nonnegative().optional();

/** zod silently drops this name: a filter by it alone would select every run. */
const refusePrototype = (given: unknown, context: z.RefinementCtx) => {
  if (typeof given === "object" && given !== null && Object.hasOwn(given, "__proto__"))
    context.addIssue({ code: "custom", message: "No tag can be named __proto__." });
  return given;
};

export const tags = z.preprocess(
  refusePrototype,
  z.record(plainText.min(1).max(64), plainText.min(1).max(256)).refine((all) => Object.keys(all).length <= 16, {
    error: "A run takes 16 tags at most.",
  }),
);
/** The rules of values are those of the engine, which says what does not fit. */
const headers = z.preprocess(refusePrototype, z.record(plainText.min(1).max(64), plainText.min(1).max(256))).optional();
export const idempotencyKey = plainText.min(1).max(255);

/** From now on, by the database's clock; instead of runAt. Up to a year. */
const delayMs = z.int().min(0).max(31_622_400_000).optional();
/** From when the run is due, by the database's clock. Up to a year; not with debounce. */
const withinMs = z.int().min(1).max(31_622_400_000).optional();

export const startRunRequest = z
  .strictObject({
    workflow: plainText.min(1).max(200),
    input: json,
    idempotencyKey: idempotencyKey.optional(),
    runAt: instant.optional(),
    delayMs,
    /** The run is cancelled if no worker has begun it by then. */
    beginWithinMs: withinMs,
    /** The run fails if it has not ended by then. */
    endWithinMs: withinMs,
    priority: z.int().min(-100).max(100).optional(),
    tags: tags.optional(),
    /** Handed to its code, and on to what that starts. */
    headers,
    /** Only workers that have this version of the workflow take the run. */
    version: z.int().min(1).max(2_147_483_647).optional(),
    /** Later starts with this key replace the waiting run. Instead of runAt, delayMs and idempotencyKey. */
    debounce: z
      .strictObject({
        key: plainText.min(1).max(255),
        delayMs: z.int().min(1).max(86_400_000),
        maxMs: z.int().min(1).max(604_800_000).optional(),
      })
      .optional(),
  })
  .meta({ id: "StartRunRequest" });

/** Each run as in StartRunRequest; all are started or none. */
export const startRunsRequest = z
  .strictObject({
    workflow: plainText.min(1).max(200),
    runs: z
      .array(startRunRequest.omit({ workflow: true, version: true, debounce: true }))
      .min(1)
      .max(MAX_STARTS),
  })
  .meta({ id: "StartRunsRequest" });

const limit = z.int().min(1).max(MAX_LIMIT);

const rate = z.strictObject({ limit, perMs: z.int().min(1).max(MAX_RATE_MS) });

const timeWindow = z
  .strictObject({ from: plainText.max(8), to: plainText.max(8), timeZone: plainText.max(100) })
  .superRefine((window, context) => {
    const refused = refusedWindow(window);
    if (refused) context.addIssue({ code: "custom", path: [refused.at], message: refused.why });
  });

/**
 * An operator's limits in place of the code's, from the next claim on; null or absent restores the code's. They replace
 * every earlier one.
 */
export const limitsRequest = z
  .strictObject({
    concurrency: limit.nullable(),
    rate: rate.nullable(),
    /** Of all keys together. */
    total: limit.nullable().default(null),
    totalRate: rate.nullable().default(null),
    window: timeWindow.nullable().default(null),
    reason,
  })
  .meta({ id: "LimitsRequest" });

/** `new`, the default: runs that have begun continue; `all`: they also stop at their next step. */
export const intakeClosureRequest = z
  .strictObject({ holds: z.enum(INTAKE_HOLDS).optional(), reason })
  .meta({ id: "IntakeClosureRequest" });

export const intakeOpeningRequest = z.strictObject({ reason }).meta({ id: "IntakeOpeningRequest" });

/** Only http and https: it is rendered as a link. */
export const link = plainText
  .max(2_000)
  .pipe(z.url({ protocol: /^https?$/, error: "Give an address that begins with https://." }));

const fields: Fields = { z, plainText, stepName: plainText.min(1).max(200), json, link, instant };

/** The fields of an action's parameters. */
export const paramsOf = <Act extends OperatorAct>(act: Act): ShapeOf<Act> =>
  (ACTIONS[act].params as (fields: Fields) => ShapeOf<Act>)(fields);

/** An action on a whole run. */
export type RunActRequest<Act extends OperatorAct> = ParamsOfAct<Act> & {
  reason: string;
  revision?: number | undefined;
};

/** @param id its name in the OpenAPI document */
export const runActRequest = <Act extends OperatorAct>(act: Act, id: string) =>
  z.strictObject({ ...paramsOf(act), reason, revision }).meta({ id }) as z.ZodType as z.ZodType<
    RunActRequest<Act>,
    RunActRequest<Act>
  >;

export const unmaskingRequest = z.strictObject({ reason }).meta({ id: "UnmaskingRequest" });

// The step of these is in the path.
const { step: _marked, ...compensationResolution } = paramsOf("mark_compensated");
const { step: _settled, ...stepResolution } = paramsOf("settle");
const { step: _assigned, ...assignment } = paramsOf("assign");
const { step: _answered, ...answer } = paramsOf("answer");

export const compensationResolutionRequest = z
  .strictObject({
    ...compensationResolution,
    note: plainText.trim().min(1, "Write a note: what was done, or why nothing is due.").max(4_000),
    revision,
  })
  .meta({ id: "CompensationResolutionRequest" });

export const assignmentRequest = z
  .strictObject({ ...assignment, reason: reason.optional() })
  .meta({ id: "AssignmentRequest" });

export const stepResolutionRequest = z
  .strictObject({ ...stepResolution, reason, revision })
  .meta({ id: "StepResolutionRequest" });

const event = {
  ...paramsOf("send_event"),
  /** The sender's own: events of one name and id count once. */
  id: plainText.min(1).max(255).optional(),
};

export const runEventRequest = z
  .strictObject({ ...event, reason: reason.optional(), revision })
  .meta({ id: "RunEventRequest" });

export const eventRequest = z
  .strictObject({
    ...event,
    /**
     * Delivered to runs that wait for this business key. Without one, it only starts workflows that begin with this
     * event.
     */
    key: plainText.min(1).max(255).optional(),
    /** Of the runs that it starts. */
    headers,
  })
  .meta({ id: "EventRequest" });

export const answerRequest = z.strictObject({ ...answer, revision }).meta({ id: "AnswerRequest" });

/** Several by comma. An empty one is ignored. */
export const list = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => {
    const items = typeof value === "string" ? value.split(",").filter(Boolean) : value;
    return Array.isArray(items) && items.length === 0 ? undefined : items;
  }, z.array(item).max(20).optional());

/** Several by repeating the parameter: such texts may contain commas. */
const texts = (longest: number) =>
  z.preprocess(
    (value) => (typeof value === "string" ? [value] : value),
    z.array(plainText.trim().min(1).max(longest)).max(20).optional(),
  );

const versions = list(z.coerce.number().int().min(1).max(2_147_483_647)).optional();
const tookMs = z.coerce.number().int().min(0).max(315_360_000_000).optional();

/** An instant, or how long ago: "24h". */
export const time = z.union([
  instant,
  plainText.max(40).regex(/^[0-9][0-9a-z. ]*$/, 'Write an instant, or how long ago: "24h".'),
]);

const question = plainText.max(400).superRefine((text, context) => {
  const read = readQuestion(text);
  if (read !== null && !("says" in read)) return;
  const message = read?.says ?? "Write such as did:charge-payment, took.charge-payment:>2s or input.amountCents:>100.";
  context.addIssue({ code: "custom", message });
});
const questions = z.preprocess(
  (value) => (typeof value === "string" ? [value] : value),
  z.array(question).max(MAX_QUESTIONS).optional(),
);

const filteredTags = z.preprocess(
  refusePrototype,
  z
    .record(
      plainText.min(1).max(64),
      z.union([plainText.min(1).max(256), z.array(plainText.min(1).max(256)).min(1).max(20)]),
    )
    .refine((all) => Object.keys(all).length <= 16, { error: "A run takes 16 tags at most." }),
);

/** Filters of a list of runs (docs/console/filters.md). `tag.NAME=value` parameters arrive as `tags`. */
export const runFilter = z
  .strictObject({
    status: list(z.enum(RUN_STATUSES)).optional(),
    workflow: list(plainText.min(1).max(200)).optional(),
    attention: list(z.enum(ATTENTIONS)).optional(),
    /** Any id or business key: a run's id, its idempotency key, the value of one of its tags, or its title or the beginning of that. */
    q: plainText.trim().max(300).optional(),
    tags: filteredTags.optional(),
    /** The current step: it failed, waits or runs there. */
    step: texts(200).optional(),
    /** Part of its error: the name, code or message. */
    error: texts(200).optional(),
    /** Of the code that had it last. */
    version: versions,
    /** What it did, all of which holds: `did:STEP`, `-did:STEP`, `failed-attempts:>3`, `took.STEP:>2s`, `input.PATH:>100`. */
    where: questions,
    /** Duration until its end or until now: at least, and less than. */
    tookOverMs: tookMs,
    tookUnderMs: tookMs,
    notWorkflow: list(plainText.min(1).max(200)).optional(),
    notStep: texts(200).optional(),
    notError: texts(200).optional(),
    notVersion: versions,
    /** Only those that this problem currently holds. */
    problem: givenId.optional(),
    createdAfter: time.optional(),
    createdBefore: time.optional(),
  })
  .meta({ id: "RunFilter" });

export const page = {
  /** `nextCursor` of the page before. */
  cursor: plainText.max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};

export const childListQuery = z.strictObject({ status: list(z.enum(RUN_STATUSES)).optional(), ...page });

/** Such as `input.customer.tier` or `output.items.0.sku`: keys separated by dots; a number may be a list index. */
const valuePath = plainText.max(MAX_PATH_LENGTH).refine((text) => parseValuePath(text) !== null, {
  error: "Begin with input. or output., then keys with dots between.",
});

export const runListQuery = runFilter.extend({
  ...page,
  sort: z.enum(RUN_SORTS).optional(),
  paths: list(valuePath).pipe(z.array(valuePath).max(MAX_PATHS).optional()),
});

/** Which compensations of the board. */
export const compensationFilter = z
  .strictObject({
    /** Default: those without an outcome. `settled` must be used alone: it is sorted latest first. */
    lane: z.enum(COMPENSATION_LANES).optional(),
    workflow: list(plainText.min(1).max(200)).optional(),
    /** The assignee. */
    assignee: plainText.trim().min(1).max(MAX_ASSIGNEE).optional(),
    /** `true`: only unassigned ones. */
    free: z.enum(["true"]).optional(),
  })
  .meta({ id: "CompensationFilter" });

export const compensationListQuery = compensationFilter.extend(page);

export const approvalListQuery = z.strictObject(page);

export const resultQuery = z.strictObject({ waitMs: z.coerce.number().int().min(0).max(60_000).default(0) });

export type StartRunRequest = z.infer<typeof startRunRequest>;
export type StartRunsRequest = z.infer<typeof startRunsRequest>;
export type LimitsRequest = z.infer<typeof limitsRequest>;
export type IntakeClosureRequest = z.infer<typeof intakeClosureRequest>;
export type IntakeOpeningRequest = z.infer<typeof intakeOpeningRequest>;
export type UnmaskingRequest = z.infer<typeof unmaskingRequest>;
export type CompensationResolutionRequest = z.infer<typeof compensationResolutionRequest>;
export type StepResolutionRequest = z.infer<typeof stepResolutionRequest>;
export type RunEventRequest = z.infer<typeof runEventRequest>;
export type EventRequest = z.infer<typeof eventRequest>;
export type AssignmentRequest = z.infer<typeof assignmentRequest>;
export type CompensationFilter = z.infer<typeof compensationFilter>;
export type AnswerRequest = z.infer<typeof answerRequest>;
export type RunFilter = z.infer<typeof runFilter>;
