import { z } from "zod";
import { runListResponse } from "./responses";
import { runListItemSchema, runTally } from "./run";

export const childSchema = runListItemSchema
  .extend({
    /** All descendants; counting stops at 500, and 50 levels down. */
    descendants: runTally,
  })
  .meta({ id: "ChildRun" });

export const childListResponse = runListResponse
  .extend({
    runs: z.array(childSchema),
    /**
     * All descendants of the run, on the first page, null on later ones; counting stops at 10,000, and 50 levels down.
     */
    descendants: runTally.nullable(),
  })
  .meta({ id: "ChildListResponse" });

export type ChildRun = z.infer<typeof childSchema>;
export type ChildListResponse = z.infer<typeof childListResponse>;
