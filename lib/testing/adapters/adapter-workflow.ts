import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import type { OpenAdapter } from "./adapter-cases";

/** One transactional step that writes a row, by the adapter's library. The test creates the table `adapter_row`. */
export const adapterWorkflow = ({ say }: Pick<OpenAdapter, "say">) =>
  defineWorkflow({ name: "adapter-row", input: z.object({}) }, (ctx) =>
    ctx.transaction("write", async (tx) => {
      await say(tx, `insert into adapter_row values ('${ctx.run.id}')`);
      return "written";
    }),
  );
