import { z } from "zod";

/** Of a run, a plan and the like, as a request names it: in lower case, as PostgreSQL writes it, since masks and the audit log compare texts. */
export const givenId = z.uuid().toLowerCase();
/** Years and offsets that are valid in ISO 8601 but not in Postgres. */
const REFUSED_BY_POSTGRES = /^0000|[+-](1[6-9]|2\d):\d\d$/;
export const instant = z.iso.datetime({ offset: true }).refine((text) => !REFUSED_BY_POSTGRES.test(text), {
  error: "The year must be 0001 or later, and the offset 15:59 at most.",
});
/**
 * Any JSON value. Values that JSON lacks (Date, BigInt, Map…) are written as `{ "$type": …, "value": … }`. HTTP bodies
 * are already parsed JSON: validating them again, value by value, would cost more than parsing.
 */
export const json = z.unknown().refine((value) => value !== undefined, { error: "A value is missing." }) as z.ZodType<
  z.core.util.JSONType,
  z.core.util.JSONType
>;
