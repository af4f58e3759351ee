import { z } from "zod";

export const cellListResponse = z
  .object({
    /** The name of this cell; null where there is no fleet. */
    own: z.string().nullable(),
    /** In the order of HANDRAIL_CELLS; empty where there is no fleet. */
    cells: z.array(z.object({ name: z.string(), url: z.string() })),
  })
  .meta({ id: "CellListResponse" });
