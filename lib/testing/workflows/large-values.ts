import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { folderBlobs, large } from "../blobs";

/** In a folder that the processes of a test share. */
export const blobs = folderBlobs(process.env.BLOB_FOLDER ?? "");

export const workflows = [
  defineWorkflow({ name: "large-values", input: z.object({}) }, async (ctx) => {
    const first = await ctx.step("first", () => large("f"), { effect: "idempotent" });
    const second = await ctx.transaction("second", async () => large("s"));
    return first + second;
  }),
] as const;
