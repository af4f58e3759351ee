import { defineWorkflow } from "handrail";
import { z } from "zod";

/** No worker runs it: it is here for its mistake, which `handrail dev` finds. */
export const forgotten = defineWorkflow({ name: "forgotten", input: z.object({}) }, async (ctx) => {
  ctx.step("greet", () => "Hello");
});
