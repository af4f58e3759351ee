import { z } from "zod";
import { instant } from "./values";

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

/** What a step waits for that has no permit of a limit. */
export const permitWaitSchema = z
  .object({
    step: z.string(),
    limit: z.string(),
    /** It counts apart by a key: then it does not say what is held, and how many wait. */
    keyed: z.boolean(),
    /** As the code that asked last declares it. */
    concurrency: z.int().nullable(),
    rate: rate.nullable(),
    /** Permits in use. */
    held: z.int().nullable(),
    /** Permits taken within the rate's period; 0 without a rate. */
    started: z.int().nullable(),
    /** Steps that go before it; counting stops at 1,000. */
    ahead: z.int().nullable(),
    /** When it asks again, unless it is called before. */
    asksAt: instant,
  })
  .meta({ id: "PermitWait" });
