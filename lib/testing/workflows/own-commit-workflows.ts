import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";

/** For workers in processes: its body commits by itself, by either client. The test creates the table `own_row`. */
export const ownCommit = defineWorkflow(
  { name: "own-commit", input: z.object({ client: z.enum(["pg", "app"]) }) },
  async (ctx, { client }) => {
    const insert = `insert into own_row values ('${ctx.run.id}')`;
    if (client === "app")
      return ctx.transaction("write", async (tx) => {
        await tx.$executeRawUnsafe(insert);
        await tx.$executeRaw`COMMIT`;
      });
    return ctx.transaction(
      "write",
      async (tx) => {
        await tx.query(insert);
        await tx.query("commit");
      },
      { client },
    );
  },
);

export const workflows = [ownCommit];
