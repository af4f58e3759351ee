import { z } from "zod";
import { COMPENSATION_MODES, COMPENSATION_STATUSES } from "../../engine/compensations/compensation";
import { RUN_STATUSES } from "../../engine/runs/run";
import { EFFECT_OUTCOMES, EFFECT_VERDICTS, KEY_USES } from "../../engine/steps/effect-verdict";
import { ATTEMPT_STATUSES, EFFECTS, STEP_STATUSES } from "../../engine/steps/step";
import { list, page, plainText, runFilter } from "./requests";
import { instant } from "./run";
import { serializedError } from "./serialized-error";

const verdict = list(z.enum(EFFECT_VERDICTS)).optional();
const format = z.enum(["csv", "ndjson"]).default("ndjson");
/** A cursor names a run and a step, whose name may be long. */
const effectPage = { ...page, cursor: plainText.max(2_000).optional() };

export const runEffectsQuery = z.strictObject({ verdict, ...effectPage });
export const runEffectsExportQuery = z.strictObject({ verdict, format });

/** Filters of a list of runs, and of their effects. */
export const effectFilter = runFilter
  .omit({ step: true })
  .extend({
    step: plainText.min(1).max(200).optional(),
    verdict,
    /** An attempt of the step was under way between these; the first is included, the second not. */
    since: instant.optional(),
    until: instant.optional(),
  })
  .meta({ id: "EffectFilter" });

export const effectListQuery = effectFilter.extend(effectPage);
export const effectExportQuery = effectFilter.extend({ format });

export const effectGenerationSchema = z
  .object({
    generation: z.int(),
    idempotencyKey: z.string(),
    effect: z.enum(EFFECTS),
    status: z.enum(STEP_STATUSES),
    /** The repair generation that set this one aside. */
    supersededBy: z.int().nullable(),
    reference: z.string().nullable(),
    startedAt: instant,
    finishedAt: instant.nullable(),
    attemptCount: z.int(),
    /** The latest 50. */
    attempts: z.array(
      z.object({
        number: z.int(),
        status: z.enum(ATTEMPT_STATUSES),
        error: serializedError.nullable(),
        workerId: z.string().nullable(),
        startedAt: instant,
        finishedAt: instant.nullable(),
      }),
    ),
    compensation: z.object({
      mode: z.enum(COMPENSATION_MODES),
      status: z.enum(COMPENSATION_STATUSES),
      by: z.string().nullable(),
      note: z.string().nullable(),
      reference: z.string().nullable(),
      attempt: z.int(),
      /** The compensation's own; null when none is required. */
      idempotencyKey: z.string().nullable(),
      finishedAt: instant.nullable(),
    }),
  })
  .meta({ id: "EffectGeneration" });

/** The external effects of one step, over all its attempts and repair generations. */
export const effectRecordSchema = z
  .object({
    runId: z.uuid(),
    workflow: z.string(),
    runStatus: z.enum(RUN_STATUSES),
    tags: z.record(z.string(), z.string()),
    /** As its workflow names the run; null: by its tags. */
    runTitle: z.string().nullable(),
    step: z.string(),
    position: z.int(),
    kind: z.enum(["step", "transaction"]),
    effect: z.enum(EFFECTS),
    verdict: z.enum(EFFECT_VERDICTS),
    /** The status of the step. */
    outcome: z.enum(EFFECT_OUTCOMES),
    /** The latest; each generation has its own. */
    idempotencyKey: z.string(),
    keyUse: z.enum(KEY_USES),
    attemptCount: z.int(),
    /** The provider's id for the effect, of the latest generation that has one. */
    reference: z.string().nullable(),
    compensation: z.enum(COMPENSATION_STATUSES),
    startedAt: instant,
    finishedAt: instant.nullable(),
    /** A lost worker may have begun it without leaving a record. */
    mayHaveBegunUnseen: z.boolean(),
    /** In order; the last one is the step's current status. */
    generations: z.array(effectGenerationSchema),
  })
  .meta({ id: "EffectRecord" });

export const effectListResponse = z
  .object({
    effects: z.array(effectRecordSchema),
    /** A page may be short, or empty, and have a next one: each reads a bounded number of runs. */
    nextCursor: z.string().nullable(),
    updatedAt: instant,
  })
  .meta({ id: "EffectListResponse" });

export const effectTallySchema = z
  .object({
    /** The worst verdict of all; null when the run has no effect. */
    verdict: z.enum(EFFECT_VERDICTS).nullable(),
    counts: z.record(z.enum(EFFECT_VERDICTS), z.int()),
    total: z.int(),
    /** A worker was lost and no outcome was recorded after: attempts that it began then are not among the effects. */
    lostAtEnd: z.boolean(),
    /** True when counting stopped before the last effect. */
    capped: z.boolean(),
  })
  .meta({ id: "EffectTally" });

export const runEffectsResponse = effectListResponse
  .extend({
    /** Over the whole run, ignoring the filter; null on every page but the first. */
    tally: effectTallySchema.nullable(),
  })
  .meta({ id: "RunEffectsResponse" });

export type EffectFilter = z.infer<typeof effectFilter>;
export type EffectRecord = z.infer<typeof effectRecordSchema>;
export type EffectTally = z.infer<typeof effectTallySchema>;
export type EffectListResponse = z.infer<typeof effectListResponse>;
export type RunEffectsResponse = z.infer<typeof runEffectsResponse>;
