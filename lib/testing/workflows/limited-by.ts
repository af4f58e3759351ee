import { z } from "zod";
import type { StepLimits } from "../../engine/queues/step-limit";
import type { StepBody } from "../../engine/workflows/step-options";
import { defineWorkflow } from "../../engine/workflows/workflow";

export const keyed = z.object({ key: z.string().default("") });

/** A workflow of one limited step. */
export const limitedBy = (
  name: string,
  limit: StepLimits,
  body: (given: z.infer<typeof keyed>, body: StepBody) => unknown,
) => defineWorkflow({ name, input: keyed }, (ctx, given) => ctx.step("call", (about) => body(given, about), { limit }));
