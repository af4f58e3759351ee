import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";

const PAGE = 500;

/** As many items as the input says, read in pages: what each of them is, and what its body gives, is about 300 characters. */
export const manyItems = defineWorkflow(
  { name: "many-items", input: z.object({ items: z.number() }) },
  (ctx, { items }) =>
    ctx.mapSteps(
      (from: number | undefined = 0) => ({
        items: Array.from({ length: Math.min(PAGE, items - from) }, (_, index) => ({
          id: from + index,
          text: `${from + index} `.repeat(40),
        })),
        next: from + PAGE < items ? from + PAGE : null,
      }),
      "item",
      ({ text }) => ({ text }),
      { effect: "pure", reduce: (outputs) => outputs.length },
    ),
);

export const workflows = [manyItems];
