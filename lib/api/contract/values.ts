import { z } from "zod";

/** ISO 8601 with zone. */
export const instant = z.iso.datetime({ offset: true });
/**
 * Any JSON value. Values that JSON lacks (Date, BigInt, Map…) stand as `{ "$type": …, "value": … }`. What comes over HTTP has
 * been parsed as JSON already: checking it again, value by value, would cost more than parsing it did.
 */
export const json = z.unknown().refine((value) => value !== undefined, { error: "A value is missing." }) as z.ZodType<
  z.core.util.JSONType,
  z.core.util.JSONType
>;
