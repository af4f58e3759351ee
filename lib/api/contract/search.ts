import { z } from "zod";
import { OPERATION_STATUSES } from "../../engine/operations/operation";
import { PROBLEM_STATUSES } from "../../engine/problems/problem";
import { PLANNED_ACTS } from "../../engine/runs/operator-acts";
import { ATTENTIONS, RUN_STATUSES } from "../../engine/runs/run";
import { plainText } from "./requests";
import { namingFields } from "./run-naming";
import { instant } from "./values";

export const searchQuery = z.strictObject({
  /**
   * An id or at least eight characters of its beginning, a business key, a tag's value; any part of names and titles.
   */
  q: plainText.trim().min(1).max(255),
});

/** The six best of each kind; kinds that the caller may not see are empty. */
export const searchResponse = z
  .object({
    /** By id, idempotency key and tag; newest first. */
    runs: z.array(
      z.object({
        runId: z.uuid(),
        workflow: z.string(),
        title: z.string(),
        status: z.enum(RUN_STATUSES),
        attention: z.enum(ATTENTIONS).nullable(),
        ...namingFields,
        createdAt: instant,
      }),
    ),
    /** There are more than are listed here. */
    moreRuns: z.boolean(),
    /** By name and title. */
    workflows: z.array(z.object({ name: z.string(), title: z.string() })),
    /** By id, error, step and workflow; the latest first. */
    problems: z.array(
      z.object({
        id: z.uuid(),
        /** Of its latest failure. */
        runId: z.uuid(),
        workflow: z.string(),
        title: z.string(),
        step: z.string().nullable(),
        status: z.enum(PROBLEM_STATUSES),
        openRuns: z.int(),
        pattern: z.string(),
      }),
    ),
    /** By their own id and their plan's. */
    operations: z.array(
      z.object({ id: z.uuid(), act: z.enum(PLANNED_ACTS), status: z.enum(OPERATION_STATUSES), runs: z.int() }),
    ),
    /** By name and title. */
    schedules: z.array(
      z.object({ name: z.string(), title: z.string(), workflow: z.string(), pausedAt: instant.nullable() }),
    ),
    /** Actors of the audit, by the beginning of their names. */
    people: z.array(z.object({ name: z.string() })),
  })
  .meta({ id: "SearchResponse" });

export type SearchResponse = z.infer<typeof searchResponse>;
