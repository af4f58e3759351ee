import { z } from "zod";
import { isDatabaseUrl } from "./env-checks";
import { wholeNumber } from "./env-kinds";

/** Where the console reads from, if not from the primary. */
export const standby = z.object({
  DATABASE_READ_URL: z
    .string()
    .refine(isDatabaseUrl)
    .optional()
    .describe(
      "the address of the same database on a streaming standby, such as " +
        "DATABASE_READ_URL=postgresql://user:password@standby:5432/handrail, or be left out to read from DATABASE_URL",
    ),
  HANDRAIL_READ_MAX_LAG_MS: wholeNumber(100, 3_600_000)
    .default(10_000)
    .describe(
      "by how many milliseconds the standby of DATABASE_READ_URL may be behind to be read from, a whole number from 100 to 3600000, " +
        "such as HANDRAIL_READ_MAX_LAG_MS=10000",
    ),
});

/** Null: everything is read from the primary. */
export const standbyOf = (data: z.output<typeof standby>) =>
  data.DATABASE_READ_URL === undefined
    ? null
    : { databaseUrl: data.DATABASE_READ_URL, maxLagMs: data.HANDRAIL_READ_MAX_LAG_MS };
