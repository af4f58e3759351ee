import { z } from "zod";

/** Years and offsets that ISO 8601 has, and Postgres does not. */
const NOT_KEPT = /^0000|[+-](1[6-9]|2\d):\d\d$/;
/** ISO 8601 with zone. */
export const instant = z.iso
  .datetime({ offset: true })
  .refine((text) => !NOT_KEPT.test(text), { error: "Years begin with 0001, and offsets end with 15:59." });
/**
 * Any JSON value. Values that JSON lacks (Date, BigInt, Map…) stand as `{ "$type": …, "value": … }`. What comes over HTTP has
 * been parsed as JSON already: checking it again, value by value, would cost more than parsing it did.
 */
export const json = z.unknown().refine((value) => value !== undefined, { error: "A value is missing." }) as z.ZodType<
  z.core.util.JSONType,
  z.core.util.JSONType
>;
