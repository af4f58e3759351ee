import { z } from "zod";
import { CANCEL_SPLITS } from "../../engine/plan";
import { PLANNED_ACTS } from "../../engine/planned-act";
import { EFFECTS } from "../../engine/step";
import { page } from "./requests";
import { instant, json } from "./values";

const named = <Item extends z.ZodType>(item: Item) => z.object({ count: z.int(), first: z.array(item) });

/** An effect that has happened. */
const effect = z
  .object({ step: z.string(), effect: z.enum(EFFECTS), key: z.string(), reference: z.string().nullable() })
  .meta({ id: "PlannedEffect" });

export const planItemSchema = z
  .object({
    /** From 1 on: newest run first. */
    position: z.int(),
    runId: z.string(),
    workflow: z.string(),
    /** The run as the plan saw it. */
    revision: z.int(),
    generation: z.int(),
    included: z.boolean(),
    /** Why it is left out. */
    because: z.string().nullable(),
    /** Steps that the act settles, whose undo it records, or whose wait it ends. */
    about: named(effect),
    /** Steps whose result stays; of these and the lists below the first 20, and how many there are. */
    keeps: named(z.string()),
    again: named(z.string()),
    /** Effects that have happened: those that stay, and those that are asked for again. */
    stay: named(effect),
    repeats: named(effect),
    /** Steps whose declared undo has no outcome. */
    owed: named(z.string()),
    questions: named(z.string()),
    /** Of a cancel: what it leaves behind. */
    split: z.enum(CANCEL_SPLITS).nullable(),
  })
  .meta({ id: "PlanItem" });

const count = z.object({ name: z.string(), count: z.int() });

export const planCounts = z
  .object({
    runs: z.int(),
    included: z.int(),
    /** By reason; after the first 20, `others`. */
    leftOut: z.array(count),
    /** Included runs by the first step that runs again. */
    again: z.array(count),
    /** Included runs of which no step that was met runs again. */
    goOn: z.int(),
    /** `unprotected`: asked for again with nothing that keeps them from happening twice. */
    effects: z.object({ stay: z.int(), repeat: z.int(), unprotected: z.int() }),
    owed: z.int(),
    questions: z.int(),
    split: z.record(z.enum(CANCEL_SPLITS), z.int()).nullable(),
  })
  .meta({ id: "PlanCounts" });

const itemPage = { items: z.array(planItemSchema), nextCursor: z.string().nullable() };

export const planSchema = z
  .object({
    id: z.string(),
    act: z.enum(PLANNED_ACTS),
    params: z.record(z.string(), json),
    selection: json,
    /** What an execution has to name: it stands for every item. */
    hash: z.string(),
    madeBy: z.string(),
    createdAt: instant,
    /** It cannot be carried out from then on. */
    expiresAt: instant,
    executedAt: instant.nullable(),
    counts: planCounts,
    /** The first of them. */
    ...itemPage,
  })
  .meta({ id: "Plan" });

export const planItemListQuery = z.strictObject({
  list: z.enum(["all", "included", "left_out"]).default("all"),
  ...page,
});

export const planItemListResponse = z.object(itemPage).meta({ id: "PlanItemListResponse" });

export type { PlanRequest } from "./planned-acts";
export type Plan = z.infer<typeof planSchema>;
export type PlanItemView = z.infer<typeof planItemSchema>;
export type PlanItemListResponse = z.infer<typeof planItemListResponse>;
