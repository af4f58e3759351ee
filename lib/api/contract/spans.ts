import { z } from "zod";
import { SPAN_KINDS, SPAN_STATUSES } from "../../engine/spans/span";
import { plainText } from "./requests";
import { instant, json } from "./values";

export const runSpansQuery = z.strictObject({
  /** `nextCursor` of the page before. */
  cursor: plainText.max(500).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(500),
});

export const spanSchema = z
  .object({
    traceId: z.hex(),
    spanId: z.hex(),
    parentSpanId: z.hex().nullable(),
    name: z.string(),
    kind: z.enum(SPAN_KINDS),
    /** `service.name` of the process that sent it. */
    service: z.string(),
    status: z.enum(SPAN_STATUSES),
    startedAt: instant,
    /** With microseconds, as a fraction. */
    durationMs: z.number(),
    /** Null when it says nothing, or the caller may not see it. */
    statusMessage: z.string().nullable(),
    attributes: z.record(z.string(), json),
    events: z.array(z.object({ name: z.string(), at: instant, attributes: z.record(z.string(), json) })),
    /** Attributes and events that were not kept: a span has 16 KiB of them at most. */
    leftOut: z.int(),
  })
  .meta({ id: "Span" });

export const runSpansResponse = z
  .object({
    /** In the order in which they began. */
    spans: z.array(spanSchema),
    nextCursor: z.string().nullable(),
    /** Of the run's start, or made of its id. */
    traceId: z.hex(),
    /** By HANDRAIL_TRACE_URL; null without. */
    traceUrl: z.url().nullable(),
    /** Why attributes, events and status messages are left out, but for those that say nothing of the data. */
    withheld: z.enum(["masked", "permission"]).nullable(),
    /** The run, or its trace, has reached its limit of kept spans: later ones were refused. */
    full: z.boolean(),
    updatedAt: instant,
  })
  .meta({ id: "RunSpansResponse" });

export type Span = z.infer<typeof spanSchema>;
export type RunSpansResponse = z.infer<typeof runSpansResponse>;
