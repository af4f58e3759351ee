import { z } from "zod";
import { LOG_SOURCES } from "../../engine/runs/log";
import { plainText } from "./requests";
import { instant, json } from "./run";

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
    /** Logged between steps (`code`), in a step's body, or in its compensation. */
    during: z.enum(LOG_SOURCES),
    step: z.string().nullable(),
    attempt: z.int().nullable(),
    message: z.string(),
    data: json.nullable(),
  })
  .meta({ id: "LogLine" });

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
