import { z } from "zod";

const rate = z.object({ limit: z.int(), perMs: z.int() });

/** The limits of a workflow; null when there are none, or the code's stay. */
export const limitFields = {
  /** Of each key, or of the workflow when there are none. */
  concurrency: z.int().nullable(),
  rate: rate.nullable(),
  /** Of all keys together. */
  total: z.int().nullable(),
  totalRate: rate.nullable(),
  window: z.object({ from: z.string(), to: z.string(), timeZone: z.string() }).nullable(),
};
