import { z } from "zod";

/** What people may call a run by (docs/writing-workflows.md, the title of a run). */
export const namingFields = {
  /** As its workflow names it; null: by its idempotency key or a tag. */
  runTitle: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  idempotencyKey: z.string().nullable(),
};

export const runNaming = z.object(namingFields).meta({ id: "RunNaming" });
