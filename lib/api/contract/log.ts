import { z } from "zod";
import { LOG_LEVELS, LOG_SOURCES } from "../../engine/runs/log";
import { list, plainText, time } from "./requests";
import { instant, json } from "./run";
import { runNaming } from "./run-naming";

export const runLogQuery = z.strictObject({
  /** Only lines whose message, data or step contains this text, ignoring case. */
  q: plainText.trim().max(300).optional(),
  /** `nextCursor` of the page before. */
  cursor: plainText.max(500).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
});

export const logLineSchema = z
  .object({
    id: z.string(),
    at: instant,
    level: z.enum(LOG_LEVELS),
    /** Logged between steps (`code`), in a step's body, or in its compensation. */
    during: z.enum(LOG_SOURCES),
    step: z.string().nullable(),
    attempt: z.int().nullable(),
    message: z.string(),
    data: json.nullable(),
    /** The trace in which it was logged. */
    traceId: z.string().nullable(),
  })
  .meta({ id: "LogLine" });

export const logFilter = z
  .strictObject({
    /**
     * Words, and phrases in double quotes: a line has all of them in message, data, step or trace id, ignoring case and
     * punctuation. The last word of each may go on: `declin` finds `declined`.
     */
    q: plainText.trim().max(300).optional(),
    /** This level and those above it. */
    level: z.enum(LOG_LEVELS).optional(),
    workflow: list(plainText.min(1).max(200)).optional(),
    step: plainText.trim().min(1).max(200).optional(),
    after: time.optional(),
    before: time.optional(),
  })
  .meta({ id: "LogFilter" });

export const logSearchQuery = logFilter.extend({
  /** `nextCursor` of the page before. */
  cursor: plainText.max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(100),
});

export const foundLineSchema = logLineSchema
  .extend({ runId: z.uuid(), workflow: z.string(), named: runNaming })
  .meta({ id: "FoundLogLine" });

export const logSearchResponse = z
  .object({
    /** Newest first. */
    lines: z.array(foundLineSchema),
    nextCursor: z.string().nullable(),
    /** Where the search ended before the page was full: the time of the last line that it read. Older matches may be on the next page. */
    lookedBackTo: instant.nullable(),
    /** Lines of workflows that mask fields were not searched: the caller may not see masked values. */
    leavesOutMasked: z.boolean(),
    updatedAt: instant,
  })
  .meta({ id: "LogSearchResponse" });

export type LogFilter = z.infer<typeof logFilter>;
export type FoundLine = z.infer<typeof foundLineSchema>;
export type LogSearchResponse = z.infer<typeof logSearchResponse>;

export const runLogResponse = z
  .object({
    /** In the order in which they were logged. */
    lines: z.array(logLineSchema),
    nextCursor: z.string().nullable(),
    /** The run has reached its limit of kept lines: later ones were dropped. */
    full: z.boolean(),
    updatedAt: instant,
  })
  .meta({ id: "RunLogResponse" });

export type LogLine = z.infer<typeof logLineSchema>;
export type RunLogResponse = z.infer<typeof runLogResponse>;
