import { z } from "zod";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";

const DAY_MS = 86_400_000;

/** Copies the users of a directory, a step each, named by the user's id: new users add steps, none shifts another's. */
export const userSync = defineWorkflow(
  {
    name: "user-sync",
    title: "User sync",
    input: z.object({}),
    retry: { initialDelayMs: 500 },
    retention: { completedMs: 30 * DAY_MS, cancelledMs: 30 * DAY_MS },
  },
  async (ctx) => {
    const users = await ctx.step("fetch-users", ({ signal }) => ctx.services.users.fetchAll(signal), {
      effect: "pure",
      timeoutMs: 30_000,
    });
    ctx.log(`the directory has ${users.length} users`);
    let synced = 0;
    await Promise.all(
      users.map(async ({ id, name, email }) => {
        await ctx.transaction(`sync-user:${id}`, async (tx) => {
          await tx.syncedUser.upsert({
            where: { id },
            create: { id, name, email },
            update: { name, email, syncedAt: new Date() },
          });
        });
        ctx.progress(++synced, users.length, "users");
      }),
    );
    return { synced: users.length };
  },
);
