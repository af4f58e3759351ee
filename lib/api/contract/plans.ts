import { z } from "zod";
import type { PlannedAct } from "../../actions/actions";
import { APPROVAL_STATUSES, FOUR_EYES_ACTS } from "../../engine/operations/four-eyes";
import { CANCEL_SPLITS } from "../../engine/operations/plan";
import { PLANNED_ACTS, type PlannedActName } from "../../engine/runs/operator-acts";
import { EFFECTS } from "../../engine/steps/step";
import { MAX_NAMED_RUNS } from "./caps";
import { page, paramsOf, reason, runFilter } from "./requests";
import { runNaming } from "./run-naming";
import { givenId, instant, json } from "./values";

const named = <Item extends z.ZodType>(item: Item) => z.object({ count: z.int(), first: z.array(item) });

/** An effect that has happened. */
const effect = z
  .object({ step: z.string(), effect: z.enum(EFFECTS), key: z.string(), reference: z.string().nullable() })
  .meta({ id: "PlannedEffect" });

export const planItemSchema = z
  .object({
    /** From 1 on: newest run first; of a cancel, oldest first. */
    position: z.int(),
    runId: z.string(),
    /** Null when it no longer exists. */
    named: runNaming.nullable(),
    workflow: z.string(),
    /** The run as the plan saw it. */
    revision: z.int(),
    generation: z.int(),
    included: z.boolean(),
    /** Why it is excluded. */
    because: z.string().nullable(),
    /** Steps that the action resolves, whose compensation it records, or whose wait it ends. */
    about: named(effect),
    /** Steps whose result stays; this list and those below hold the first 20 and a total. */
    keeps: named(z.string()),
    again: named(z.string()),
    /** Effects that have happened: those that stay, and those that are requested again. */
    stay: named(effect),
    repeats: named(effect),
    /** How many of `repeats` nothing protects from happening twice. */
    unprotected: z.int(),
    /** Steps whose declared compensation has no outcome. */
    owed: named(z.string()),
    /** Completed steps with a declared compensation that run again: their effect so far is not compensated any more; with the same keys, unless they complete again. */
    uncompensated: named(z.string()),
    questions: named(z.string()),
    /** Of a cancel: the effects that remain. */
    split: z.enum(CANCEL_SPLITS).nullable(),
    /** Which rule of its workflow's code requires a second person; null when one is enough. */
    secondPerson: z.enum(FOUR_EYES_ACTS).nullable(),
  })
  .meta({ id: "PlanItem" });

const count = z.object({ name: z.string(), count: z.int() });

export const planCounts = z
  .object({
    runs: z.int(),
    included: z.int(),
    /** By reason, most first; behind the first 20 reasons `others` counts what is left. */
    leftOut: z.array(count),
    /** Included runs by the first step that runs again, without the numbers of a loop; behind the first 20 steps likewise `others`. */
    again: z.array(count),
    /** Included runs of which no recorded step runs again, whatever the action. */
    goOn: z.int(),
    /** `unprotected`: requested again without protection against happening twice. */
    effects: z.object({ stay: z.int(), repeat: z.int(), unprotected: z.int() }),
    owed: z.int(),
    uncompensated: z.int(),
    questions: z.int(),
    /** Included runs on which the action requires a second person, and their workflows, the first 20. */
    secondPerson: z.object({ runs: z.int(), workflows: z.array(z.string()) }),
    split: z.record(z.enum(CANCEL_SPLITS), z.int()).nullable(),
  })
  .meta({ id: "PlanCounts" });

/** A second person's decision on a plan, made or pending. */
export const planApprovalSchema = z
  .object({
    /** `approved` can be used once, until it expires. */
    status: z.enum(APPROVAL_STATUSES),
    proposer: z.string(),
    reason: z.string(),
    requestedAt: instant,
    expiresAt: instant,
    approver: z.string().nullable(),
    note: z.string().nullable(),
    answeredAt: instant.nullable(),
  })
  .meta({ id: "PlanApproval" });

const selection = z.union([
  z.strictObject({ runIds: z.array(givenId).min(1).max(MAX_NAMED_RUNS) }),
  z.strictObject({ filter: runFilter }),
]);

function planned(act: PlannedActName) {
  const params = z.strictObject(paramsOf(act) as z.ZodRawShape);
  const isOptional = params.safeParse({}).success;
  return z.strictObject({ act: z.literal(act), params: isOptional ? params.default({}) : params, selection });
}

type AnyPlanned = ReturnType<typeof planned>;

/** `params` are the action's own, as for a single run. Without a `step`, the eligible step of each run. */
export const planRequest = z
  .discriminatedUnion("act", PLANNED_ACTS.map(planned) as [AnyPlanned, ...AnyPlanned[]])
  .meta({ id: "PlanRequest" }) as z.ZodType as z.ZodType<PlanRequest, PlanRequest>;

const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const planApprovalRequest = z.strictObject({ hash, reason }).meta({ id: "PlanApprovalRequest" });

export const planApprovalAnswer = z
  .strictObject({ hash, outcome: z.enum(["approved", "rejected"]), reason })
  .meta({ id: "PlanApprovalAnswer" });

export const planApprovalListQuery = z.strictObject(page);

export const planApprovalListResponse = z
  .object({
    planApprovals: z.array(
      z.object({
        planId: z.string(),
        act: z.enum(PLANNED_ACTS),
        params: z.record(z.string(), json),
        hash: z.string(),
        counts: planCounts,
        approval: planApprovalSchema,
      }),
    ),
    nextCursor: z.string().nullable(),
    updatedAt: instant,
  })
  .meta({ id: "PlanApprovalListResponse" });

const itemPage = { items: z.array(planItemSchema), nextCursor: z.string().nullable() };

export const planSchema = z
  .object({
    id: z.string(),
    act: z.enum(PLANNED_ACTS),
    params: z.record(z.string(), json),
    selection: json,
    /** Of its runs. */
    workflows: z.array(z.string()),
    /** The value that an execution must send: it identifies every item. */
    hash: z.string(),
    madeBy: z.string(),
    createdAt: instant,
    /** The plan expires then. */
    expiresAt: instant,
    executedAt: instant.nullable(),
    counts: planCounts,
    /** Null until an approval is requested. */
    approval: planApprovalSchema.nullable(),
    /** The first of them. */
    ...itemPage,
  })
  .meta({ id: "Plan" });

export const planItemListQuery = z.strictObject({
  list: z.enum(["all", "included", "left_out"]).default("all"),
  ...page,
});

export const planItemListResponse = z.object(itemPage).meta({ id: "PlanItemListResponse" });

export type PlanRequest = PlannedAct & { selection: z.infer<typeof selection> };
export type Plan = z.infer<typeof planSchema>;
export type PlanItemView = z.infer<typeof planItemSchema>;
export type PlanItemListResponse = z.infer<typeof planItemListResponse>;
export type PlanApproval = z.infer<typeof planApprovalSchema>;
export type PlanApprovalRequest = z.infer<typeof planApprovalRequest>;
export type PlanApprovalAnswer = z.infer<typeof planApprovalAnswer>;
export type PlanApprovalListResponse = z.infer<typeof planApprovalListResponse>;
